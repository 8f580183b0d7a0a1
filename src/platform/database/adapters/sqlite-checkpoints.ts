import type Sqlite from 'better-sqlite3';
import { createCheckpointThread } from './sqlite-checkpoint-thread.ts';

/** In pages. */
const WORTHWHILE = 2_000;
/** In pages: beyond this the next transaction waits until all are moved, so that the log can start over. */
const MOST = 8_000;

/** Many small transactions in a row need only one look at the log. */
const LOOK_MS = 10;

interface Log {
  /** Pages in the log. */
  log: number;
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
    /** Call it between two transactions; resolves when the next one may begin. */
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
