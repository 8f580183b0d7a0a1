import { findInbox } from './inbox.store.ts';
import { remoteState, stateOf } from './item-state.ts';
import { filesSyncedIn } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import { readLocal } from './local-tree.ts';
import type { RemoteItem } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';

/** True if files of the folder stayed behind here: then only the entity's own file was moved. */
export const staysHere = (project: SyncedProject, folder: string): Promise<boolean> =>
  project.database.read(async (db: SyncDb) => {
    const synced = await filesSyncedIn(db, project, folder);
    const local = await readLocal(
      db,
      project.whole,
      synced.map(({ key }) => key),
    );
    return synced.some(({ key, sha256 }) => local.get(key)?.sha256 === sha256);
  });

/** The same for the replica's folder, judged by the incoming changes and those still in the inbox. */
export const staysThere = (
  project: SyncedProject,
  folder: string,
  incoming: ReadonlyMap<SyncKey, RemoteItem>,
): Promise<boolean> =>
  project.database.read(async (db: SyncDb) => {
    const synced = await filesSyncedIn(db, project, folder);
    const inbox = await findInbox(
      db,
      project,
      synced.map(({ key }) => key),
    );
    return synced.some((item) => {
      const now = incoming.get(item.key) ?? inbox.get(item.key);
      return now === undefined || remoteState(now) === stateOf(item).synced;
    });
  });
