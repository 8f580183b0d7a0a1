import { pipeline } from 'node:stream/promises';
import type { Gunzip, InflateRaw } from 'node:zlib';
import { damaged } from './archive-error.ts';

/** Settles once both sides have ended, so that nothing is written afterwards. Damage is an `ArchiveError`. */
export async function through(
  packed: AsyncIterable<Buffer>,
  inflate: Gunzip | InflateRaw,
  use: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const using = use(inflate).catch((error: unknown) => {
    // Nobody reads on: the other side would wait for it for ever.
    inflate.destroy();
    throw error;
  });
  const ended = await Promise.allSettled([using, pipeline(packed, inflate)]);
  for (const end of ended) if (end.status === 'rejected') throw damageOf(end.reason);
}

const damageOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    ? damaged('is damaged or cut off', { cause: error })
    : error;
