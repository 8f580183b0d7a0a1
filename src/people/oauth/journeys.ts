import { randomToken } from '../../kit/crypto.ts';
import type { AuthorizationResponse, WithNonce } from '../../platform/oauth/oauth.ts';
import { OutcomeError, outcomeOfAnswer } from './outcome.ts';
import type { BrowserKey, Flow, Owner, Pending, PendingStates } from './pending.ts';

/** The path to which a provider sends people back, registered there with the public address before it. */
const CALLBACKS: Readonly<Record<Flow, (provider: string) => string>> = {
  'sign-in': (provider) => `/api/auth/oauth/${provider}/callback`,
  mobile: (provider) => `/api/auth/mobile/${provider}-callback`,
  drive: (provider) => `/api/auth/oauth/${provider}/drive/callback`,
  storage: (provider) => `/api/auth/storage-oauth/${provider}/callback`,
};

/** What a provider's answer has in its address (RFC 6749 §4.1.2). */
export interface ProviderAnswer {
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
  iss?: string | undefined;
}

export interface Begun {
  state: string;
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
}

export interface JourneyRequest {
  flow: Flow;
  provider: string;
  browser: BrowserKey;
  returnUrl: string;
  challenge?: string | null;
  invite?: string | null;
  owner?: Owner | null;
}

/** Ways to a provider and back. */
export function createJourneys({ pending, publicUrl }: { pending: PendingStates; publicUrl: string }) {
  return {
    async begin({
      browser,
      challenge = null,
      invite = null,
      owner = null,
      ...request
    }: JourneyRequest): Promise<Begun> {
      const secrets = { codeVerifier: randomToken(), nonce: randomToken() };
      const redirectUri = publicUrl + CALLBACKS[request.flow](request.provider);
      const kept: Pending = { ...request, ...secrets, redirectUri, challenge, invite, owner };
      return { ...secrets, redirectUri, state: await pending.put(kept, browser) };
    },

    /** What an answer belongs to; null when that cannot be told. */
    async resume(
      at: { flow: Flow; provider: string; browser: BrowserKey | undefined },
      { state }: ProviderAnswer,
    ): Promise<Pending | null> {
      return state === undefined ? null : pending.take({ ...at, state });
    },
  };
}

export type Journeys = ReturnType<typeof createJourneys>;

/** What a provider is asked to exchange. Throws `OutcomeError` for an answer that says no. */
export function responseOf(
  { redirectUri, codeVerifier, nonce }: Pending,
  { code, error, iss }: ProviderAnswer,
): AuthorizationResponse & WithNonce {
  if (error !== undefined) throw outcomeOfAnswer(error);
  if (code === undefined) throw new OutcomeError('provider_refused');
  return { code, issuer: iss ?? null, redirectUri, codeVerifier, nonce };
}
