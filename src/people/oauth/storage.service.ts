import { badRequest, HttpError } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { AuthorizationResponse } from '../../platform/oauth/oauth.ts';
import { OAuthError } from '../../platform/oauth/oauth.ts';
import { type Users, userNotFound } from '../users/index.ts';
import type { Connection, Connections } from './connections.service.ts';
import { type Flows, type ProviderAnswer, responseOf } from './flows.ts';
import { codeOf, OutcomeError } from './outcome.ts';
import type { BrowserKey, Owner, PendingFlow } from './pending.ts';
import type { Providers } from './providers.ts';
import { type ReturnUrls, withParameter } from './return-urls.ts';

export interface StorageOptions {
  providers: Providers;
  flows: Flows;
  returnUrls: ReturnUrls;
  connections: Connections;
  users: Users;
  log: Log;
}

type StorageFlow = 'drive' | 'storage';

export interface StorageStart {
  flow: StorageFlow;
  provider: string;
  browser: BrowserKey;
  userId: string;
  returnTo: string | undefined;
}

/** Spec 2 §5. */
export function createStorageConnecting(options: StorageOptions) {
  const { providers, flows, returnUrls, connections, users, log } = options;

  async function connect(pending: PendingFlow, answer: ProviderAnswer, callerId: string | undefined) {
    const { provider, owner } = pending;
    if (owner === null || (callerId !== undefined && callerId !== owner.userId))
      throw new OutcomeError('other_account');
    const user = await users.findById(owner.userId);
    if (!user?.isActive || user.sessionEpoch !== owner.sessionEpoch) throw new OutcomeError('session_ended');
    const tokens = await providers.storageOf(provider).connect(responseOf(pending, answer));
    await connections.keep(user.userId, provider, tokens);
  }

  async function ownerOf(userId: string): Promise<Owner> {
    const user = await users.findById(userId);
    if (user === null) throw userNotFound(userId);
    return { userId, sessionEpoch: user.sessionEpoch };
  }

  return {
    async start({ returnTo, userId, ...start }: StorageStart): Promise<string> {
      const storage = providers.storageOf(start.provider);
      const returnUrl = returnUrls.checked(returnTo);
      const owner = await ownerOf(userId);
      return storage.authorizationUrl(await flows.begin({ ...start, returnUrl, owner }));
    },

    /** The browser's destination; null if the redirect belongs to no pending flow. */
    async finish(
      at: { flow: StorageFlow; provider: string; browser: BrowserKey | undefined },
      answer: ProviderAnswer,
      callerId?: string,
    ): Promise<string | null> {
      const pending = await flows.resume(at, answer);
      if (pending === null) return null;
      try {
        await connect(pending, answer, callerId);
        return withParameter(pending.returnUrl, 'connected', pending.provider);
      } catch (error) {
        return withParameter(pending.returnUrl, 'error', codeOf(error, log));
      }
    },

    /** For another surface that has sent somebody to the provider itself. 400 if the provider refuses the code. */
    async exchange(userId: string, provider: string, response: AuthorizationResponse): Promise<Connection> {
      const storage = providers.storageOf(provider);
      if (!(await users.findById(userId))?.isActive) throw userNotFound(userId);
      const tokens = await storage.connect(response).catch(refuse);
      return connections.keep(userId, provider, tokens);
    },
  };
}

export type StorageConnecting = ReturnType<typeof createStorageConnecting>;

function refuse(error: unknown): never {
  if (!(error instanceof OAuthError) || error.code === 'unavailable') throw error;
  if (error.code === 'denied') throw new HttpError(403, error.message, { code: 'access_denied' });
  throw badRequest('The provider refused the code', { code: 'provider_refused' });
}
