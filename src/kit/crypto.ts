import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Hex SHA-256 of text or bytes. */
export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

/** The form in which checksums travel: `sha256:` and 64 hex digits. */
export const checksumOf = (data: string | Uint8Array): string => `sha256:${sha256Hex(data)}`;

/** URL-safe random text with the given number of random bytes. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** Compares two secrets in a time that tells nothing of either. */
export const equalSecrets = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

/** An incremental hash, for content that is too large to hold. */
export const streamingSha256 = () => createHash('sha256');
