import { randomToken } from '../../kit/crypto.ts';
import type { AuthorizationResponse, WithNonce } from '../../platform/oauth/oauth.ts';
import { OutcomeError, outcomeOfAnswer } from './outcome.ts';
import type { BrowserKey, Flow, Owner, PendingFlow, PendingFlows } from './pending.ts';

/** The path of the redirect URI, which is registered at the provider together with the public address. */
const CALLBACKS: Readonly<Record<Flow, (provider: string) => string>> = {
  'sign-in': (provider) => `/api/auth/oauth/${provider}/callback`,
  mobile: (provider) => `/api/auth/mobile/${provider}-callback`,
  drive: (provider) => `/api/auth/oauth/${provider}/drive/callback`,
  storage: (provider) => `/api/auth/storage-oauth/${provider}/callback`,
};

/** Query parameters of a provider's redirect (RFC 6749 §4.1.2). */
export interface ProviderAnswer {
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
  iss?: string | undefined;
}

export interface StartedFlow {
  state: string;
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
}

export interface FlowRequest {
  flow: Flow;
  provider: string;
  browser: BrowserKey;
  returnUrl: string;
  challenge?: string | null;
  invite?: string | null;
  owner?: Owner | null;
}

/** OAuth flows: to a provider and back. */
export function createFlows({ pending, publicUrl }: { pending: PendingFlows; publicUrl: string }) {
  return {
    async begin({
      browser,
      challenge = null,
      invite = null,
      owner = null,
      ...request
    }: FlowRequest): Promise<StartedFlow> {
      const secrets = { codeVerifier: randomToken(), nonce: randomToken() };
      const redirectUri = publicUrl + CALLBACKS[request.flow](request.provider);
      const kept: PendingFlow = { ...request, ...secrets, redirectUri, challenge, invite, owner };
      return { ...secrets, redirectUri, state: await pending.put(kept, browser) };
    },

    /** The pending flow of a redirect; null if there is none. */
    async resume(
      at: { flow: Flow; provider: string; browser: BrowserKey | undefined },
      { state }: ProviderAnswer,
    ): Promise<PendingFlow | null> {
      return state === undefined ? null : pending.take({ ...at, state });
    },
  };
}

export type Flows = ReturnType<typeof createFlows>;

/** The input for the provider's code exchange. Throws `OutcomeError` if the redirect reports a failure. */
export function responseOf(
  { redirectUri, codeVerifier, nonce }: PendingFlow,
  { code, error, iss }: ProviderAnswer,
): AuthorizationResponse & WithNonce {
  if (error !== undefined) throw outcomeOfAnswer(error);
  if (code === undefined) throw new OutcomeError('provider_refused');
  return { code, issuer: iss ?? null, redirectUri, codeVerifier, nonce };
}
