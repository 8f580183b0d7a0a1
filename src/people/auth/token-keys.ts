import { createSecretKey, type KeyObject } from 'node:crypto';

const FEWEST_SECRET_BYTES = 32;

/** Keys that verify access tokens. */
export interface VerifyingKeys {
  algorithm: 'HS256' | 'EdDSA';
  /** Null for an unknown key id. */
  verifying(kid: string | undefined): Promise<KeyObject | null>;
}

export interface TokenKeys extends VerifyingKeys {
  signing(): Promise<{ key: KeyObject; kid?: string }>;
}

/** The shared secret of a self-hosted core (spec 1 §5). It is checked on first use: commands may run without one. */
export function secretKeys(secret: string): TokenKeys {
  const key = (): KeyObject => {
    const bytes = Buffer.from(secret);
    if (bytes.length < FEWEST_SECRET_BYTES) throw new Error('tokens need a JWT_SECRET of 32 bytes or more');
    return createSecretKey(bytes);
  };
  return { algorithm: 'HS256', signing: async () => ({ key: key() }), verifying: async () => key() };
}

/** Keys that tokens name by their id. */
export const publishedKeys = (keys: {
  signing(): Promise<{ key: KeyObject; kid: string }>;
  verifying(kid: string): Promise<KeyObject | null>;
}): TokenKeys => ({
  algorithm: 'EdDSA',
  signing: keys.signing,
  verifying: async (kid) => (kid === undefined ? null : keys.verifying(kid)),
});
