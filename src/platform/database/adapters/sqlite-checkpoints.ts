import type Sqlite from 'better-sqlite3';
import { createCheckpointThread } from './sqlite-checkpoint-thread.ts';

/** So many pages of the log are worth moving into the file. */
const WORTHWHILE = 2_000;
/** With so many pages in the log the next transaction waits until all are moved, since then it begins again at its start. */
const MOST = 8_000;

interface Log {
  /** Pages in it. */
  log: number;
  /** Those of them that are in the file already. */
  checkpointed: number;
}

/**
 * Moves what was committed from the log into the file, on a thread of its own, since it writes and syncs megabytes
 * in one go. Without that thread SQLite does so itself, after a commit and later.
 */
export function createCheckpoints(path: string, writer: Sqlite.Database) {
  writer.pragma(`wal_autocheckpoint = ${2 * MOST}`);
  const look = writer.prepare<[], Log>('pragma wal_checkpoint(NOOP)');
  const thread = createCheckpointThread(path);
  let running: Promise<void> | null = null;

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
    /** To be called between two transactions: resolves when the next may begin. */
    async between(): Promise<void> {
      const { length, waiting } = state();
      if (waiting >= WORTHWHILE) void checkpoint();
      if (length < MOST || waiting === 0) return;
      // The one under way may have begun before the last commit.
      await running;
      if (state().waiting > 0) await checkpoint();
    },
    async close(): Promise<void> {
      await running;
      await thread.close();
    },
  };
}
