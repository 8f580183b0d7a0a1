import { readFile, writeFile } from 'node:fs/promises';
import { newId } from '../../kit/ids.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';

const LOOK_EVERY_MS = 500;

/** A cancelled upload has no folder; the next request finds that out. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

export interface UploadLocksOptions {
  locks: { tenant(tenantId: string): Pick<TenantDatabase, 'exclusive'> };
  /** The file that names the next request of an upload, for all processes. */
  fileOf(id: string): string;
}

/**
 * Runs one request at a time per upload, in all processes that share its folder. A later one stops the running one and waits for its
 * end: a part on a dead connection must not keep its own sender from continuing.
 */
export function createUploadLocks({ locks, fileOf }: UploadLocksOptions) {
  const latest = new Map<string, AbortController>();

  /** Stops the work once another process has requested its turn. */
  function watch(id: string, mine: string, stop: AbortController): () => void {
    const look = async () => {
      const next = await readFile(fileOf(id), 'utf8').catch(() => mine);
      if (next !== mine) stop.abort();
    };
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }

  return async function take<Result>(
    { id, tenantId }: { id: string; tenantId: string },
    work: (stopped: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const stop = new AbortController();
    const mine = newId();
    latest.get(id)?.abort();
    latest.set(id, stop);
    try {
      await writeFile(fileOf(id), mine).catch(unlessGone);
      return await locks.tenant(tenantId).exclusive(`upload ${id}`, async () => {
        const unwatch = watch(id, mine, stop);
        return work(stop.signal).finally(unwatch);
      });
    } finally {
      if (latest.get(id) === stop) latest.delete(id);
    }
  };
}
