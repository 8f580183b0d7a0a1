import type { Project } from '../../world/records/index.ts';
import { findInbox } from './inbox.store.ts';
import { remoteState, stateOf } from './item-state.ts';
import { filesSyncedIn } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import { readLocal } from './local-tree.ts';
import type { RemoteItem } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';

/** Whether files in the folder that an entity was moved out of here are where they were: then its own file alone was moved. */
export const staysHere = (project: Project, folder: string): Promise<boolean> =>
  project.database.read(async (db: SyncDb) => {
    const synced = await filesSyncedIn(db, project, folder);
    const local = await readLocal(
      db,
      project,
      synced.map(({ key }) => key),
    );
    return synced.some(({ key, sha256 }) => local.get(key)?.sha256 === sha256);
  });

/** The same of a folder in the cloud, by what it told just now, or told and waits here. */
export const staysThere = (
  project: Project,
  folder: string,
  told: ReadonlyMap<SyncKey, RemoteItem>,
): Promise<boolean> =>
  project.database.read(async (db: SyncDb) => {
    const synced = await filesSyncedIn(db, project, folder);
    const inbox = await findInbox(
      db,
      project,
      synced.map(({ key }) => key),
    );
    return synced.some((item) => {
      const now = told.get(item.key) ?? inbox.get(item.key);
      return now === undefined || remoteState(now) === stateOf(item).synced;
    });
  });
