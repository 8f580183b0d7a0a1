import { buffer } from 'node:stream/consumers';
import { streamingSha256 } from '../../../kit/crypto.ts';
import type { BlobStat, BlobStore } from '../../blobs/blobs.ts';
import { safeKey } from '../../blobs/keys.ts';
import type { RemoteScanner, ScanBatch } from '../files.ts';
import { isHiddenName, safePath } from '../paths.ts';
import { explainedBy } from './blob-errors.ts';
import { pagesBelow } from './blob-listing.ts';
import { type BlobMove, createBlobMoves } from './blob-moves.ts';
import { blobFileStat } from './blob-stat.ts';

/** `open` is called on first use. */
export function createBlobScanner({ open }: { open: () => Promise<BlobStore> }): RemoteScanner {
  let opening: Promise<BlobStore> | null = null;

  const opened = (): Promise<BlobStore> => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };

  async function list(roots: readonly string[]): Promise<ScanBatch> {
    const blobs = await opened();
    const moves = createBlobMoves(blobs, Date.now);
    const before = await moves.current();
    const batch: ScanBatch = { files: [], skipped: [] };
    const seen = new Set<string>();
    for (const root of roots) {
      for await (const page of pagesBelow(blobs, root)) {
        for (const stat of page) {
          if (seen.has(stat.key) || !isAtOrBelow(stat.key, root)) continue;
          seen.add(stat.key);
          add(batch, stat);
        }
      }
    }
    // A move that began or ended during the listing may show its files half at the old place and half at the new one.
    return without(batch, [...before, ...(await moves.current())]);
  }

  return {
    list: (roots = ['']) => explainedBy('list', '', () => list(roots)),
    read: (path) =>
      explainedBy('read', path, async () => {
        const blobs = await opened();
        return buffer((await blobs.get(safePath(path))).stream);
      }),
    digest: (path, headBytes) =>
      explainedBy('read', path, async () => {
        const blobs = await opened();
        return digestOf((await blobs.get(safePath(path))).stream, headBytes);
      }),
    async close() {
      const blobs = await opening?.catch(() => null);
      await blobs?.close();
    },
  };
}

async function digestOf(source: AsyncIterable<Uint8Array>, headBytes: number) {
  const hash = streamingSha256();
  let head = Buffer.alloc(0);
  for await (const piece of source) {
    if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)]);
    hash.update(piece);
  }
  return { sha256: hash.digest('hex'), head };
}

const isAtOrBelow = (key: string, root: string): boolean =>
  root === '' || key === root || key.startsWith(`${root}/`);

function add(batch: ScanBatch, stat: BlobStat): void {
  const { key } = stat;
  // Consoles of providers create such an empty object as a new folder.
  if (key.endsWith('/') || key.split('/').some(isHiddenName)) return;
  if (isSafe(key)) batch.files.push(blobFileStat(key, stat));
  else batch.skipped.push({ path: key, reason: 'bad_name' });
}

function isSafe(key: string): boolean {
  try {
    return safeKey(key) === key;
  } catch {
    return false;
  }
}

/** Like a folder that cannot be listed, paths that are being moved keep what is known about them. */
function without(batch: ScanBatch, moves: readonly BlobMove[]): ScanBatch {
  if (moves.length === 0) return batch;
  const moving = new Set(moves.flatMap(({ from, to }) => [from, to]));
  const isMoving = (path: string) => [...moving].some((place) => isAtOrBelow(path, place));
  return {
    files: batch.files.filter(({ path }) => !isMoving(path)),
    skipped: [...batch.skipped, ...[...moving].map((path) => ({ path, reason: 'unreadable' as const }))],
  };
}
