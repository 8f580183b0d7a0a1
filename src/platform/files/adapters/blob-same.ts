import { digestOf } from '../../../kit/crypto.ts';
import type { BlobStore } from '../../blobs/blobs.ts';

async function digest(blobs: BlobStore, key: string): Promise<string> {
  const { stream } = await blobs.get(key);
  return (await digestOf(stream)).sha256;
}

/** The etag of a copy need not be that of its original. */
export async function holdSameBytes(blobs: BlobStore, one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([blobs.stat(one), blobs.stat(other)]);
  if (first === null || second === null || first.size !== second.size) return false;
  if (first.size === 0) return true;
  const [firstHash, secondHash] = await Promise.all([digest(blobs, one), digest(blobs, other)]);
  return firstHash === secondHash;
}
