import { inProject } from '../../platform/database/scoped.ts';
import { type Scope, scopeColumns } from '../../world/records/index.ts';
import type { SyncDb, SyncedProjectRow } from './sync.tables.ts';
import type { SyncLink } from './sync.ts';

export type ProjectState = Omit<SyncedProjectRow, 'tenant_id' | 'project_id'>;

/** A link from the settings syncs by itself; after signing in, the user starts it. */
export const newState = ({ url, by }: Pick<SyncLink, 'url' | 'by'>): ProjectState => ({
  cloud_url: url,
  cloud_tenant: null,
  periodic: by === 'settings' ? 1 : 0,
  cursor: null,
  local_seq: 0,
  last: null,
  last_synced_at: null,
});

export const findState = (db: SyncDb, scope: Scope): Promise<ProjectState | undefined> =>
  inProject(db, scope)
    .selectFrom('cloud_sync_projects')
    .select(['cloud_url', 'cloud_tenant', 'periodic', 'cursor', 'local_seq', 'last', 'last_synced_at'])
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

export async function forgetSynced(db: SyncDb, scope: Scope): Promise<void> {
  for (const table of REMEMBERED) {
    await inProject(db, scope).deleteFrom(table).execute();
  }
}
