import { equalSecrets, randomToken, sha256Hex } from '../../kit/crypto.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';

const LIFETIME_MS = 10 * 60_000;

/** The purpose of a flow; each has its own redirect path. */
export type Flow = 'sign-in' | 'mobile' | 'drive' | 'storage';

export interface PendingFlow {
  flow: Flow;
  provider: string;
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
  /** The final destination, already checked. */
  returnUrl: string;
  /** The PKCE challenge of an app, which gets a code instead of cookies. */
  challenge: string | null;
  /** The token of an invitation to accept. */
  invite: string | null;
  /** The person who connects storage. */
  owner: Owner | null;
}

/** A person's epoch at the start of a flow: after their sessions were ended, the flow cannot finish. */
export interface Owner {
  userId: string;
  sessionEpoch: number;
}

/** A random value in a cookie of its own that identifies a browser. */
export type BrowserKey = string;

export interface ReturnedState {
  flow: Flow;
  provider: string;
  state: string;
  /** Undefined if the browser did not begin here. */
  browser: BrowserKey | undefined;
}

interface Kept {
  pending: PendingFlow;
  browser: BrowserKey;
}

/** OAuth states: each is valid once, for ten minutes, in the browser that began (spec 2 §5). */
export function createPendingFlows({ keyValue, box }: { keyValue: KeyValue; box: SecretBox }) {
  const keyOf = (state: string) => `oauth-state:${sha256Hex(state)}`;

  return {
    /** Stores a flow and returns its state parameter. */
    async put(pending: PendingFlow, browser: BrowserKey): Promise<string> {
      const state = randomToken();
      const kept: Kept = { pending, browser };
      await keyValue.set(keyOf(state), box.seal(JSON.stringify(kept), keyOf(state)), { ttlMs: LIFETIME_MS });
      return state;
    },

    /** Null for a state that is unknown, used, expired, another provider's or another browser's. Every attempt uses the state up. */
    async take({ flow, provider, state, browser }: ReturnedState): Promise<PendingFlow | null> {
      const sealed = await keyValue.take(keyOf(state));
      if (sealed === undefined || browser === undefined) return null;
      const kept: Kept = JSON.parse(box.open(sealed, keyOf(state)));
      const fits = kept.pending.flow === flow && kept.pending.provider === provider;
      return fits && equalSecrets(kept.browser, browser) ? kept.pending : null;
    },
  };
}

export type PendingFlows = ReturnType<typeof createPendingFlows>;
