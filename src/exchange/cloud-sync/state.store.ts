import { type Scope, scopeColumns } from '../../world/records/index.ts';
import type { CloudSyncDb, SyncedProjectRow } from './cloud-sync.tables.ts';
import type { CloudLink } from './links.service.ts';

export type ProjectState = Omit<SyncedProjectRow, 'tenant_id' | 'project_id'>;

/** An installation that settings link to a cloud syncs by itself; somebody who signed in starts it. */
export const newState = ({ url, by }: Pick<CloudLink, 'url' | 'by'>): ProjectState => ({
  cloud_url: url,
  cloud_tenant: null,
  periodic: by === 'settings' ? 1 : 0,
  cursor: null,
  local_seq: 0,
  last: null,
  last_synced_at: null,
});

export const findState = (db: CloudSyncDb, scope: Scope): Promise<ProjectState | undefined> =>
  db
    .selectFrom('cloud_sync_projects')
    .select(['cloud_url', 'cloud_tenant', 'periodic', 'cursor', 'local_seq', 'last', 'last_synced_at'])
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .executeTakeFirst();

export async function putState(db: CloudSyncDb, scope: Scope, state: ProjectState): Promise<void> {
  await db
    .insertInto('cloud_sync_projects')
    .values({ ...scopeColumns(scope), ...state })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'project_id']).doUpdateSet(state))
    .execute();
}

/** Changes some of it; a project without a state has nothing to change. */
export async function patchState(db: CloudSyncDb, scope: Scope, patch: Partial<ProjectState>): Promise<void> {
  await db
    .updateTable('cloud_sync_projects')
    .set(patch)
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .execute();
}

const REMEMBERED = ['cloud_sync_items', 'cloud_sync_inbox', 'cloud_sync_conflicts'] as const;

/** Forgets all that was synced, as it was with another cloud. */
export async function forgetSynced(db: CloudSyncDb, scope: Scope): Promise<void> {
  for (const table of REMEMBERED) {
    await db
      .deleteFrom(table)
      .where('tenant_id', '=', scope.tenantId)
      .where('project_id', '=', scope.projectId)
      .execute();
  }
}
