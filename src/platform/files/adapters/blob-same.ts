import { streamingSha256 } from '../../../kit/crypto.ts';
import type { BlobStore } from '../../blobs/blobs.ts';

async function digest(blobs: BlobStore, key: string): Promise<string> {
  const hash = streamingSha256();
  const { stream } = await blobs.get(key);
  for await (const bytes of stream as AsyncIterable<Uint8Array>) hash.update(bytes);
  return hash.digest('hex');
}

/** The etag of a copy need not be that of its original. */
export async function holdSameBytes(blobs: BlobStore, one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([blobs.stat(one), blobs.stat(other)]);
  if (first === null || second === null || first.size !== second.size) return false;
  if (first.size === 0) return true;
  const [firstHash, secondHash] = await Promise.all([digest(blobs, one), digest(blobs, other)]);
  return firstHash === secondHash;
}
