import type Sqlite from 'better-sqlite3';
import { createCheckpointThread } from './sqlite-checkpoint-thread.ts';

/** Number of pages in the log from which a checkpoint is worthwhile. */
const WORTHWHILE = 2_000;
/** With this many pages in the log the next transaction waits until all are moved, so that the log can start over. */
const MOST = 8_000;

/** Least milliseconds between two looks at the log: many small transactions in a row need only one. */
const LOOK_MS = 10;

interface Log {
  /** Pages in the log. */
  log: number;
  /** Pages of the log that are in the file already. */
  checkpointed: number;
}

/**
 * Moves committed pages from the log into the file, on a separate thread because that writes and syncs megabytes at once.
 * If the thread fails, SQLite does the same itself, after a commit, at a higher limit.
 */
export function createCheckpoints(path: string, writer: Sqlite.Database) {
  writer.pragma(`wal_autocheckpoint = ${2 * MOST}`);
  const look = writer.prepare<[], Log>('pragma wal_checkpoint(NOOP)');
  const thread = createCheckpointThread(path);
  let running: Promise<void> | null = null;
  let lookAgainAt = 0;

  const checkpoint = (): Promise<void> => {
    running ??= thread.checkpoint().finally(() => {
      running = null;
    });
    return running;
  };

  const state = () => {
    const { log, checkpointed } = look.get() ?? { log: 0, checkpointed: 0 };
    return { length: log, waiting: log - checkpointed };
  };

  return {
    /** Must be called between two transactions; resolves when the next one may begin. */
    async between(): Promise<void> {
      const now = performance.now();
      if (now < lookAgainAt) return;
      lookAgainAt = now + LOOK_MS;
      const { length, waiting } = state();
      if (waiting >= WORTHWHILE) void checkpoint();
      if (length < MOST || waiting === 0) return;
      // The running checkpoint may have begun before the last commit.
      await running;
      if (state().waiting > 0) await checkpoint();
    },
    async close(): Promise<void> {
      await running;
      await thread.close();
    },
  };
}
