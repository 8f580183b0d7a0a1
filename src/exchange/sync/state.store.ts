import { inReplica } from '../../platform/database/scoped.ts';
import { putFeedCursor } from '../../world/records/index.ts';
import type { SyncDb, SyncedProjectRow } from './sync.tables.ts';
import type { SyncLink } from './sync.ts';
import { feedReader, replicaColumns, type SyncedProject, type SyncScope } from './synced-project.ts';

export type ProjectState = Omit<SyncedProjectRow, 'tenant_id' | 'project_id' | 'replica'>;

/** A link from the settings syncs by itself; after signing in, the user starts it. */
export const newState = ({ url, by }: Pick<SyncLink, 'url' | 'by'>): ProjectState => ({
  address: url,
  account: null,
  periodic: by === 'settings' ? 1 : 0,
  cursor: null,
  last: null,
  last_synced_at: null,
});

export const findState = (db: SyncDb, scope: SyncScope): Promise<ProjectState | undefined> =>
  inReplica(db, scope)
    .selectFrom('sync_projects')
    .select(['address', 'account', 'periodic', 'cursor', 'last', 'last_synced_at'])
    .executeTakeFirst();

export async function putState(db: SyncDb, scope: SyncScope, state: ProjectState): Promise<void> {
  await db
    .insertInto('sync_projects')
    .values({ ...replicaColumns(scope), ...state })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'project_id', 'replica']).doUpdateSet(state))
    .execute();
}

/** Does nothing for a project without state. */
export async function patchState(db: SyncDb, scope: SyncScope, patch: Partial<ProjectState>): Promise<void> {
  await inReplica(db, scope).updateTable('sync_projects').set(patch).execute();
}

const REMEMBERED = ['sync_items', 'sync_inbox'] as const;

export async function forgetSynced(db: SyncDb, project: SyncedProject): Promise<void> {
  for (const table of REMEMBERED) {
    await inReplica(db, project).deleteFrom(table).execute();
  }
  await putFeedCursor(db, project.database.dialect, project, { reader: feedReader(project), seq: 0 });
}
