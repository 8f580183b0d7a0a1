import { type Clock, isoTime } from '../../../kit/clock.ts';
import type { Project } from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';
import { addCallCounts, type CallCount, callCountsOf, removeCallCounts, sumOf } from './call-counts.store.ts';

export interface CallCountsOptions {
  clock: Clock;
  /** Goes on with work that no caller waits for. */
  inBackground(project: Project, work: Promise<void>): void;
}

export interface CountedCall {
  pluginId: string;
  call: string;
  tookMs: number;
  hasFailed: boolean;
}

/** A save calls several guests, so counts are kept for so long before they are written. */
const KEPT_MS = 5_000;

interface Kept {
  counts: Map<string, CallCount>;
  timer: NodeJS.Timeout;
}

/** How often guests are called, how long it takes and how it ends. A crash loses the last seconds. */
export function createCallCounts({ clock, inBackground }: CallCountsOptions) {
  const kept = new Map<Project, Kept>();

  function keptOf(project: Project): Kept {
    const known = kept.get(project);
    if (known) return known;
    const timer = setTimeout(() => inBackground(project, write(project)), KEPT_MS).unref();
    const made = { counts: new Map(), timer };
    kept.set(project, made);
    return made;
  }

  const locked = (project: Project, work: (db: PluginsDb) => Promise<void>): Promise<void> =>
    project.database.exclusive(`plugin calls of ${project.projectId}`, () =>
      project.database.write(work, { durable: false }),
    );

  /** The counts of this process so far. */
  async function write(project: Project): Promise<void> {
    const found = kept.get(project);
    if (found === undefined) return;
    clearTimeout(found.timer);
    kept.delete(project);
    const counts = [...found.counts.values()];
    try {
      await locked(project, (db) => addCallCounts(db, project, counts));
    } catch (error) {
      for (const count of counts) add(project, count);
      throw error;
    }
  }

  function add(project: Project, count: CallCount): void {
    const { counts } = keptOf(project);
    const key = `${count.plugin_id} ${count.call}`;
    const before = counts.get(key);
    counts.set(key, before ? sumOf(before, count) : count);
  }

  return {
    write,

    /** Rejects if any could not be written, after all were tried. */
    async writeAll(): Promise<void> {
      const results = await Promise.allSettled([...kept.keys()].map(write));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },

    note(project: Project, { pluginId, call, tookMs, hasFailed }: CountedCall): void {
      const at = isoTime(clock.now());
      const took_us = Math.round(tookMs * 1000);
      add(project, {
        plugin_id: pluginId,
        call,
        calls: 1,
        failed: hasFailed ? 1 : 0,
        took_us,
        slowest_us: took_us,
        last_at: at,
        last_failed_at: hasFailed ? at : null,
      });
    },

    async of(project: Project, pluginId: string): Promise<CallCount[]> {
      await write(project);
      return project.database.read((db: PluginsDb) => callCountsOf(db, project, pluginId));
    },

    async purge(project: Project, pluginId: string): Promise<void> {
      await write(project);
      await locked(project, (db) => removeCallCounts(db, project, pluginId));
    },
  };
}

export type CallCounts = ReturnType<typeof createCallCounts>;
