import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { keyOfProject, type Project } from '../records/index.ts';
import type { Stores } from '../storage/index.ts';
import type { BatchObjects } from './batch-objects.ts';
import type { Parts } from './parts.ts';
import { storeIfSet } from './store-if-set.ts';

const DAY_MS = 24 * 3_600_000;

export interface HousekeepingOptions {
  parts: Parts;
  objects: BatchObjects;
  stores: Stores;
  clock: Clock;
  log: Log;
}

/** Once a day, removes unfinished uploads: the folders here, and waiting objects in a project's store. */
export function createHousekeeping({ parts, objects, stores, clock, log }: HousekeepingOptions) {
  /** Projects cleaned in the last day, oldest first. */
  const doneAtMs = new Map<string, number>();

  function forgetBefore(time: number): void {
    for (const [key, doneAt] of doneAtMs) {
      if (doneAt > time) return;
      doneAtMs.delete(key);
    }
  }

  return async (project: Project): Promise<void> => {
    const key = keyOfProject(project);
    const now = clock.now();
    forgetBefore(now - DAY_MS);
    if (doneAtMs.has(key)) return;
    doneAtMs.set(key, now);
    try {
      await parts.collect();
      await objects.collect(await storeIfSet(stores, project), now);
    } catch (error) {
      log.warn(`old uploads of ${key} could not be removed: ${messageOf(error)}`);
    }
  };
}
