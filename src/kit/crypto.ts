import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

/** The format of checksums: `sha256:` and 64 hex digits. */
export const checksumOf = (data: string | Uint8Array): string => `sha256:${sha256Hex(data)}`;

/** URL-safe; `bytes` counts the random bytes. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** Compares two secrets in constant time. */
export const equalSecrets = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

export const streamingSha256 = () => createHash('sha256');

/** Of all bytes of a stream, none of which are kept. */
export async function digestOf(stream: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }> {
  const hash = streamingSha256();
  let size = 0;
  for await (const bytes of stream) {
    hash.update(bytes);
    size += bytes.length;
  }
  return { sha256: hash.digest('hex'), size };
}
