import { inProject } from '../../platform/database/scoped.ts';
import { type Project, putFeedCursor, type Scope, scopeColumns } from '../../world/records/index.ts';
import type { SyncDb, SyncedProjectRow } from './sync.tables.ts';
import type { SyncLink } from './sync.ts';

export type ProjectState = Omit<SyncedProjectRow, 'tenant_id' | 'project_id'>;

/** A link from the settings syncs by itself; after signing in, the user starts it. */
export const newState = ({ url, by }: Pick<SyncLink, 'url' | 'by'>): ProjectState => ({
  cloud_url: url,
  cloud_tenant: null,
  periodic: by === 'settings' ? 1 : 0,
  cursor: null,
  last: null,
  last_synced_at: null,
});

export const findState = (db: SyncDb, scope: Scope): Promise<ProjectState | undefined> =>
  inProject(db, scope)
    .selectFrom('cloud_sync_projects')
    .select(['cloud_url', 'cloud_tenant', 'periodic', 'cursor', 'last', 'last_synced_at'])
    .executeTakeFirst();

export async function putState(db: SyncDb, scope: Scope, state: ProjectState): Promise<void> {
  await db
    .insertInto('cloud_sync_projects')
    .values({ ...scopeColumns(scope), ...state })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'project_id']).doUpdateSet(state))
    .execute();
}

/** Does nothing for a project without state. */
export async function patchState(db: SyncDb, scope: Scope, patch: Partial<ProjectState>): Promise<void> {
  await inProject(db, scope).updateTable('cloud_sync_projects').set(patch).execute();
}

const REMEMBERED = ['cloud_sync_items', 'cloud_sync_inbox', 'cloud_sync_conflicts'] as const;

/** This engine among the readers of the change feed. */
export const FEED_READER = 'sync';

export async function forgetSynced(db: SyncDb, project: Project): Promise<void> {
  for (const table of REMEMBERED) {
    await inProject(db, project).deleteFrom(table).execute();
  }
  await putFeedCursor(db, project.database.dialect, project, { reader: FEED_READER, seq: 0 });
}
