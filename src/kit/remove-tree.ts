import { opendir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes a folder, if it is there, and all below it, one entry after another: `rm` alone asks for those of a folder all at
 * once, and whoever else works with files waits behind them, for seconds where they are many. Rejects between two entries
 * when `signal` says so.
 */
export async function removeTree(folder: string, signal?: AbortSignal): Promise<void> {
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  for await (const entry of entries) {
    signal?.throwIfAborted();
    const place = join(folder, entry.name);
    if (entry.isDirectory()) await removeTree(place, signal);
    else await rm(place, { force: true });
  }
  // Somebody may have written into it meanwhile.
  await rmdir(folder).catch(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
}
