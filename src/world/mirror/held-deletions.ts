import type { Log } from '../../kit/log.ts';
import type { Project } from '../records/index.ts';
import { readHeldDeletions, storeHeldDeletions } from './mirror.store.ts';
import type { HeldDeletions } from './report.ts';
import type { SyncRequest } from './run-queue.ts';

/** Keeps the guard's held deletions until a full run no longer finds them or a sync with force follows them. */
export function createHeldDeletionsMemory(project: Project, log: Log) {
  let held: HeldDeletions | null = null;
  return {
    current: () => held,
    async load(): Promise<void> {
      held = await readHeldDeletions(project);
    },
    /** A full run replaces the held deletions; a partial one can only add to them. */
    async settle({ scope }: SyncRequest, found: HeldDeletions | null): Promise<void> {
      const next = found ?? (scope.kind === 'full' ? null : held);
      if (next === null && held === null) return;
      const isNews = found !== null && found.reason !== held?.reason;
      held = next;
      if (isNews) log.warn(`sync stopped, nothing was deleted: ${found.reason}; a sync with force goes on`);
      await storeHeldDeletions(project, next);
    },
  };
}
