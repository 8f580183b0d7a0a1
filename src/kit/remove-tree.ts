import { opendir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes entries one after another: `rm` requests all entries of a folder at once, and other file operations would wait
 * behind them for seconds. Rejects between two entries when `signal` aborts.
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
  // Another process may have written into it meanwhile.
  await rmdir(folder).catch(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
}
