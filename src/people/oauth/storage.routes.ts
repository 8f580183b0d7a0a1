import { callerOf, storageOwnerOf } from '../../kit/principal.ts';
import { Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { BrowserCookie } from './browser-cookie.ts';
import { type Connections, notConnected } from './connections.service.ts';
import { redirect } from './oauth.routes.ts';
import { outcomeReply } from './outcome.page.ts';
import type { Providers } from './providers.ts';
import {
  exchangeStorageCode,
  finishDriveUpgrade,
  finishStorageConnection,
  getStorageConnections,
  removeStorageConnection,
  startDriveUpgrade,
  startStorageConnection,
} from './storage.contract.ts';
import type { StorageConnecting } from './storage.service.ts';

export interface StorageRoutesOptions {
  providers: Providers;
  storage: StorageConnecting;
  connections: Connections;
  browserCookie: BrowserCookie;
}

type StartRequest = RouteRequest<typeof startStorageConnection>;
type FinishRequest = RouteRequest<typeof finishStorageConnection>;
type StorageFlow = 'drive' | 'storage';

const LIFETIME_SECONDS = 600;

export function storageRoutes(options: StorageRoutesOptions): Route[] {
  const { providers, storage, connections, browserCookie } = options;

  async function start(flow: StorageFlow, request: StartRequest): Promise<Reply> {
    const browser = browserCookie.keyOrNew(request.cookies);
    const authorization_url = await storage.start({
      flow,
      provider: request.params.provider,
      browser,
      userId: storageOwnerOf(request).userId,
      returnTo: request.query.return_to,
    });
    return new Reply(
      { authorization_url, expires_in: LIFETIME_SECONDS },
      { cookies: [browserCookie.of(browser)] },
    );
  }

  async function finish(flow: StorageFlow, request: FinishRequest, callerId?: string): Promise<Reply> {
    const at = { flow, provider: request.params.provider, browser: browserCookie.keyOf(request.cookies) };
    const location = await storage.finish(at, request.query, callerId);
    return location === null ? outcomeReply('invalid_state', request.headers) : redirect(location);
  }

  return [
    route(startDriveUpgrade, (request) => start('drive', request)),
    route(finishDriveUpgrade, (request) => finish('drive', request, callerOf(request).userId)),
    route(getStorageConnections, async (request) => {
      const kept = await connections.list(callerOf(request).userId);
      return {
        connections: providers.list
          .filter((provider) => provider.storage !== null)
          .map(({ id }) => kept.find(({ provider }) => provider === id) ?? notConnected(id)),
      };
    }),
    route(startStorageConnection, (request) => start('storage', request)),
    route(removeStorageConnection, async (request) => {
      const { provider } = request.params;
      await connections.remove(storageOwnerOf(request).userId, provider);
      return { message: `${provider} is disconnected` };
    }),
    route(finishStorageConnection, (request) => finish('storage', request)),
    route(exchangeStorageCode, async ({ params, body }) => {
      const { user_id, code, redirect_uri: redirectUri, code_verifier: codeVerifier, iss } = body;
      const response = { code, redirectUri, codeVerifier, issuer: iss ?? null };
      return { ...(await storage.exchange(user_id, params.provider, response)), connected: true };
    }),
  ];
}
