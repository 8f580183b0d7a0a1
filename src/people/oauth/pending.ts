import { equalSecrets, randomToken, sha256Hex } from '../../kit/crypto.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';

const LIFETIME_MS = 10 * 60_000;

/** What somebody went to the provider for; each has its own address to come back to. */
export type Flow = 'sign-in' | 'mobile' | 'drive' | 'storage';

/** A way to a provider that has begun. */
export interface Pending {
  flow: Flow;
  provider: string;
  /** Where the provider sends people back to. */
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
  /** Where people go in the end; checked. */
  returnUrl: string;
  /** The PKCE challenge of the app that gets a code instead of cookies. */
  challenge: string | null;
  /** The token of the invitation that somebody follows. */
  invite: string | null;
  /** Who connects storage. */
  owner: Owner | null;
}

/** Somebody as they were when they began: who lost their sessions since then cannot finish. */
export interface Owner {
  userId: string;
  sessionEpoch: number;
}

/** What tells one browser from another, in a cookie of its own. */
export type BrowserKey = string;

export interface ReturnedState {
  flow: Flow;
  provider: string;
  state: string;
  /** Undefined for a browser that did not begin here. */
  browser: BrowserKey | undefined;
}

interface Kept {
  pending: Pending;
  browser: BrowserKey;
}

/** States of ways to providers: each good once, for ten minutes, for the browser that began (spec 2 §5). */
export function createPendingStates({ keyValue, box }: { keyValue: KeyValue; box: SecretBox }) {
  const keyOf = (state: string) => `oauth-state:${sha256Hex(state)}`;

  return {
    /** The state to send along. */
    async put(pending: Pending, browser: BrowserKey): Promise<string> {
      const state = randomToken();
      const kept: Kept = { pending, browser };
      await keyValue.set(keyOf(state), box.seal(JSON.stringify(kept), keyOf(state)), { ttlMs: LIFETIME_MS });
      return state;
    },

    /** Null for a state that is unknown, used, too old, another provider's, or another browser's: it is used up then, too. */
    async take({ flow, provider, state, browser }: ReturnedState): Promise<Pending | null> {
      const sealed = await keyValue.take(keyOf(state));
      if (sealed === undefined || browser === undefined) return null;
      const kept: Kept = JSON.parse(box.open(sealed, keyOf(state)));
      const fits = kept.pending.flow === flow && kept.pending.provider === provider;
      return fits && equalSecrets(kept.browser, browser) ? kept.pending : null;
    },
  };
}

export type PendingStates = ReturnType<typeof createPendingStates>;
