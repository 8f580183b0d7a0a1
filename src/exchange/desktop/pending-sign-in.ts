import { hash } from 'node:crypto';
import type { Clock } from '../../kit/clock.ts';
import { equalSecrets, randomToken } from '../../kit/crypto.ts';

export const SIGN_IN_SECONDS = 600;

export interface PendingSignIn {
  cloudUrl: string;
  redirectUri: string;
  state: string;
  verifier: string;
  expiresAtMs: number;
}

/** The sign-in in progress; a later one replaces it. In memory only. */
export function createPendingSignIn({ clock }: { clock: Clock }) {
  let pending: PendingSignIn | null = null;
  const current = () => (pending !== null && pending.expiresAtMs > clock.now() ? pending : null);

  return {
    begin(cloudUrl: string, redirectUri: string): PendingSignIn {
      const expiresAtMs = clock.now() + SIGN_IN_SECONDS * 1_000;
      pending = { cloudUrl, redirectUri, state: randomToken(), verifier: randomToken(), expiresAtMs };
      return pending;
    },
    current,
    /** Returns the sign-in once. A wrong state leaves it in place: any page can send one. */
    take(state: string): PendingSignIn | null {
      const found = current();
      if (found === null || !equalSecrets(found.state, state)) return null;
      pending = null;
      return found;
    },
    forget(): void {
      pending = null;
    },
  };
}

export function authorizationUrl(
  { cloudUrl, redirectUri, state, verifier }: PendingSignIn,
  client: string,
): string {
  const query = new URLSearchParams({
    redirect_uri: redirectUri,
    state,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    client,
  });
  return `${cloudUrl}/api/auth/desktop/authorize?${query}`;
}
