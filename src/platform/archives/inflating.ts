import { pipeline } from 'node:stream/promises';
import type { Gunzip, InflateRaw } from 'node:zlib';
import { damaged } from './archive-error.ts';

/**
 * Settles once the reader and what feeds it have ended, so that nothing is written afterwards. The reader is part of
 * the pipeline: without it, the pipeline ends before the last bytes are unpacked, and an error in these ends the process.
 */
export async function through(
  packed: AsyncIterable<Buffer>,
  inflate: Gunzip | InflateRaw,
  use: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  let using = Promise.resolve();
  const feeding = pipeline(packed, inflate, (bytes) => {
    using = use(bytes);
    return using;
  });
  const [fed] = await Promise.allSettled([feeding]);
  const [used] = await Promise.allSettled([using]);
  for (const end of [used, fed]) if (end.status === 'rejected') throw damageOf(end.reason);
}

const damageOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    ? damaged('is damaged or cut off', { cause: error })
    : error;
