import type { FileStat } from '../../platform/files/files.ts';
import type { Project } from '../records/index.ts';

export interface Draft<Put, Stored> {
  put(): Promise<Put>;
  /** If it throws, no rows are stored. */
  store(put: Put): Promise<Stored>;
  /** Takes the file back if nobody has written to it since. */
  putBack(put: Put): Promise<unknown>;
}

/** Puts a file in place and then stores its rows. If that fails, the folder is left as it was. */
export async function publishDraft<Put, Stored>({
  put,
  store,
  putBack,
}: Draft<Put, Stored>): Promise<Stored> {
  const file = await put();
  try {
    return await store(file);
  } catch (error) {
    // A file that could not be taken back is newer than its row: the next sync imports it.
    await putBack(file).catch(() => {});
    throw error;
  }
}

/** The same for an entity's file and row, registered as our own write: the watcher often reports it before the row exists. */
export async function publishFile<Put extends { stat: FileStat }, Stored>(
  { ownWrites }: Project,
  file: { path: string; newFolder: boolean },
  { put, store, putBack }: Draft<Put, Stored>,
): Promise<Stored> {
  const end = ownWrites.begin([file]);
  const written: FileStat[] = [];
  try {
    return await publishDraft({
      put,
      async store(made) {
        const stored = await store(made);
        written.push(made.stat);
        return stored;
      },
      putBack,
    });
  } finally {
    end(written);
  }
}
