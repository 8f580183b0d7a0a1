import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { entitiesChanged, entityUpdated } from '../records/entity.events.ts';
import { keyOfProject, type Scope } from '../records/index.ts';
import { followJob } from './embeddings.jobs.ts';
import { findIndex, isBehind } from './embeddings.store.ts';
import type { EmbeddingsDb } from './embeddings.tables.ts';

interface Options {
  database: Database;
  jobs: Jobs;
  bus: Bus;
  log: Log;
}

/** Milliseconds: a burst of saves becomes one job. */
const SETTLE_MS = 5_000;

/**
 * Requests a run after changes, in projects that are indexed. A save only starts a timer here. What a lost event leaves behind is
 * found when the project opens, and by each search.
 */
export function createNoticing({ database, jobs, bus, log }: Options) {
  const timers = new Map<string, NodeJS.Timeout>();
  let ends: (() => void)[] = [];

  async function look(scope: Scope): Promise<void> {
    try {
      const isDue = await database.tenant(scope.tenantId).read(async (db: EmbeddingsDb) => {
        const index = await findIndex(db, scope);
        return index !== undefined && index.choice !== 'off' && (await isBehind(db, scope));
      });
      if (isDue) await jobs.add([followJob(scope)]);
    } catch (error) {
      log.warn(`changes in ${scope.projectId} are not read for searches by meaning yet: ${messageOf(error)}`);
    }
  }

  function note(scope: Scope): void {
    const key = keyOfProject(scope);
    if (timers.has(key)) return;
    const timer = setTimeout(() => {
      timers.delete(key);
      void look(scope);
    }, SETTLE_MS);
    timers.set(key, timer.unref());
  }

  function noteEvent(
    _event: unknown,
    { tenantId, projectId }: { tenantId: string; projectId: string | null },
  ): void {
    if (projectId !== null) note({ tenantId, projectId });
  }

  return {
    note,
    start(): void {
      ends = [bus.on(entityUpdated, noteEvent), bus.on(entitiesChanged, noteEvent)];
    },
    stop(): void {
      for (const end of ends) end();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
