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

/** Content never begins with a dot, so waiting objects cannot be taken for content. */
const WAITING = '.uploads/';
const LIFETIME_SECONDS = 24 * 3_600;
export const BATCH_KEPT_MS = LIFETIME_SECONDS * 1_000;
const LISTED_AT_ONCE = 1_000;

const keyOf = (batch: Batch, file: BatchFile): string => `${WAITING}${batch.id}/${file.sha256}`;

const refusal = (message: string) =>
  invalid(`The bytes ${message}`, { code: 'wrong_bytes', errors: [{ field: 'sha256', message }] });

/** The bytes of a batch: once verified, they are in its folder, whether they were sent here or fetched from a store. */
export function createBatchObjects(folders: KeptFolders<Batch>) {
  const placeOf = (batch: Batch, { sha256 }: BatchFile) => folders.placeOf(batch.id, sha256);

  /** Keeps the bytes if they have the announced hash; 422 otherwise. */
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

    /** The request that sends the file to its store; null if the store accepts only our own requests. */
    presign: (store: BlobStore | null, batch: Batch, file: BatchFile): Promise<PresignedRequest> | null =>
      store?.presign?.put(keyOf(batch, file), {
        expiresInSeconds: LIFETIME_SECONDS,
        exactly: { size: file.size, sha256: file.sha256 },
      }) ?? null,

    /** True if the verified bytes are in the batch's folder; fetches them from the store if needed. 422 for wrong ones. */
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

    async drop(store: BlobStore | null, batch: Batch, file: BatchFile): Promise<void> {
      await rm(placeOf(batch, file), { force: true });
      if (store?.presign) await store.delete(keyOf(batch, file));
    },

    /** Removes bytes that were not finalized in time. */
    async collect(store: BlobStore | null, now: number): Promise<void> {
      await folders.collect();
      if (!store?.presign) return;
      for (let from: string | null | undefined; from !== null; ) {
        const page: BlobPage = await store.list({
          prefix: WAITING,
          limit: LISTED_AT_ONCE,
          from: from ?? null,
        });
        // A URL fetched at the end of a batch's time is valid for the same time again.
        const old = page.blobs.filter(({ modifiedAt }) => modifiedAt < now - 2 * BATCH_KEPT_MS);
        for (const { key } of old) await store.delete(key);
        from = page.next;
      }
    },
  };
}

export type BatchObjects = ReturnType<typeof createBatchObjects>;
