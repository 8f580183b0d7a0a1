import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { streamingSha256 } from '../../kit/crypto.ts';
import { invalid } from '../../kit/errors.ts';
import { syncFolder } from '../../kit/sync-folder.ts';
import type { BlobPage, BlobStore, PresignedRequest } from '../../platform/blobs/blobs.ts';
import type { Batch, BatchFile } from './batch.ts';
import type { KeptFolders } from './kept-folders.ts';
import { writeStream } from './parts.ts';

/** No entry of content begins with a dot, so that what waits there is never taken for some. */
const WAITING = '.uploads/';
const LIFETIME_SECONDS = 24 * 3_600;
export const BATCH_KEPT_MS = LIFETIME_SECONDS * 1_000;
const LISTED_AT_ONCE = 1_000;

const keyOf = (batch: Batch, file: BatchFile): string => `${WAITING}${batch.id}/${file.sha256}`;

const refusal = (message: string) =>
  invalid(`The bytes ${message}`, { code: 'wrong_bytes', errors: [{ field: 'sha256', message }] });

/** The bytes of a batch: those that waited in a store or were sent here lie in its folder once they are the right ones. */
export function createBatchObjects(folders: KeptFolders<Batch>) {
  const placeOf = (batch: Batch, { sha256 }: BatchFile) => folders.placeOf(batch.id, sha256);

  /** Keeps the bytes when they are those that were named; 422 for others. */
  async function receive(batch: Batch, file: BatchFile, stream: Readable): Promise<void> {
    const draft = `${placeOf(batch, file)}-${randomUUID()}`;
    const hash = streamingSha256();
    try {
      const target = await open(draft, 'wx', 0o600);
      try {
        const limits = { offset: 0, size: file.size, see: (bytes: Uint8Array) => void hash.update(bytes) };
        const size = await writeStream(target, stream, limits);
        if (size !== file.size) throw refusal(`are ${size}, and ${file.size} were named`);
      } finally {
        await target.close();
      }
      if (hash.digest('hex') !== file.sha256)
        throw refusal('have another SHA-256 than the one that was named');
      await rename(draft, placeOf(batch, file));
      await syncFolder(folders.placeOf(batch.id));
    } finally {
      await rm(draft, { force: true });
    }
  }

  const isHere = (batch: Batch, file: BatchFile): Promise<boolean> =>
    stat(placeOf(batch, file)).then(
      () => true,
      () => false,
    );

  return {
    placeOf,
    receive,

    /** Where the file may be sent in its store; null where the store takes none but ours. */
    presign: (store: BlobStore | null, batch: Batch, file: BatchFile): Promise<PresignedRequest> | null =>
      store?.presign?.put(keyOf(batch, file), {
        expiresInSeconds: LIFETIME_SECONDS,
        exactly: { size: file.size, sha256: file.sha256 },
      }) ?? null,

    /** Whether the right bytes are in the batch's folder; those that wait in the store are fetched. 422 for wrong ones. */
    async fetch(store: BlobStore | null, batch: Batch, file: BatchFile): Promise<boolean> {
      if (await isHere(batch, file)) return true;
      if (!store?.presign) return false;
      const found = await store.stat(keyOf(batch, file));
      if (found === null) return false;
      if (found.size !== file.size) throw refusal(`are ${found.size}, and ${file.size} were named`);
      const { stream } = await store.get(keyOf(batch, file));
      try {
        await receive(batch, file, stream);
      } finally {
        stream.destroy();
      }
      return true;
    },

    /** Forgets the bytes, here and in the store. */
    async drop(store: BlobStore | null, batch: Batch, file: BatchFile): Promise<void> {
      await rm(placeOf(batch, file), { force: true });
      if (store?.presign) await store.delete(keyOf(batch, file));
    },

    /** Removes what nobody finalized in time. */
    async collect(store: BlobStore | null, now: number): Promise<void> {
      await folders.collect();
      if (!store?.presign) return;
      for (let from: string | null | undefined; from !== null; ) {
        const page: BlobPage = await store.list({
          prefix: WAITING,
          limit: LISTED_AT_ONCE,
          from: from ?? null,
        });
        // An address taken at the end of its time may still be used as long again.
        const old = page.blobs.filter(({ modifiedAt }) => modifiedAt < now - 2 * BATCH_KEPT_MS);
        for (const { key } of old) await store.delete(key);
        from = page.next;
      }
    },
  };
}

export type BatchObjects = ReturnType<typeof createBatchObjects>;
