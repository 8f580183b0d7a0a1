import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type BlobStat, type BlobStore, BlobsError } from '../../src/platform/blobs/blobs.ts';
import { safeKey } from '../../src/platform/blobs/keys.ts';
import { counted } from '../../src/platform/blobs/pieces.ts';
import { boundsOf } from '../../src/platform/blobs/ranges.ts';
import { changed, requireCondition } from '../../src/platform/blobs/tags.ts';

interface Kept {
  bytes: Buffer;
  etag: string;
  modifiedAt: number;
}

export function createMemoryBlobs(): BlobStore {
  const objects = new Map<string, Kept>();
  let changes = 0;

  function existing(key: string): Kept {
    const kept = objects.get(safeKey(key));
    if (kept === undefined) throw new BlobsError('not_found', 'There is no such object');
    return kept;
  }

  return {
    provider: 'memory',
    preflight: async () => {},
    async put(key, body, { size, only } = {}) {
      safeKey(key);
      const bytes = await buffer(counted(body, size));
      requireCondition(only, objects.get(key)?.etag ?? null);
      changes += 1;
      const etag = changes.toString(36);
      objects.set(key, { bytes, modifiedAt: Date.now(), etag });
      return { etag };
    },
    async get(key, { range, ifEtag } = {}) {
      const { bytes, etag } = existing(key);
      if (ifEtag !== undefined && ifEtag !== etag) throw changed();
      if (range === undefined)
        return { size: bytes.length, etag, stream: Readable.from([bytes], { objectMode: false }) };
      const { first, last } = boundsOf(bytes.length, range);
      return {
        size: bytes.length,
        etag,
        stream: Readable.from([bytes.subarray(first, last + 1)], { objectMode: false }),
      };
    },
    async stat(key) {
      const kept = objects.get(safeKey(key));
      return kept === undefined ? null : statOf(key, kept);
    },
    async list({ prefix, limit, from }) {
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > (from ?? '')).sort();
      const page = keys.slice(0, limit);
      const blobs = page.map((key) => statOf(key, existing(key)));
      return { blobs, next: keys.length > limit ? (page.at(-1) ?? null) : null };
    },
    async delete(key) {
      objects.delete(safeKey(key));
    },
    async copy(from, to) {
      objects.set(safeKey(to), { ...existing(from), modifiedAt: Date.now() });
    },
    presign: null,
    capacity: async () => null,
    close: async () => objects.clear(),
  };
}

const statOf = (key: string, { bytes, modifiedAt, etag }: Kept): BlobStat => ({
  key,
  size: bytes.length,
  modifiedAt,
  etag,
});
