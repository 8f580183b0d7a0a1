import { partsOf } from '../../kit/parts.ts';
import type { Dialect } from '../../platform/database/dialect.ts';
import { type Scope, scopeColumns } from '../../world/records/index.ts';
import type { CloudSyncDb, SyncInboxRow } from './cloud-sync.tables.ts';
import type { SyncKey } from './keys.ts';

export type InboxRow = Omit<SyncInboxRow, 'tenant_id' | 'project_id'>;

const KEY = ['tenant_id', 'project_id', 'key'] as const;
const CHUNK = 500;

export const putInbox = (
  db: CloudSyncDb,
  dialect: Dialect,
  scope: Scope,
  rows: readonly InboxRow[],
): Promise<void> =>
  dialect.upsert(
    db,
    'cloud_sync_inbox',
    rows.map((row) => ({ ...scopeColumns(scope), ...row })),
    { conflict: KEY, update: ['item', 'reason'] },
  );

const rowsOf = (db: CloudSyncDb, scope: Scope) =>
  db
    .selectFrom('cloud_sync_inbox')
    .select(['key', 'item', 'reason'])
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId);

export const inboxAfter = (db: CloudSyncDb, scope: Scope, key: SyncKey, limit: number): Promise<InboxRow[]> =>
  rowsOf(db, scope).where('key', '>', key).orderBy('key').limit(limit).execute();

export async function findInbox(
  db: CloudSyncDb,
  scope: Scope,
  keys: readonly SyncKey[],
): Promise<Map<SyncKey, InboxRow>> {
  const found = new Map<SyncKey, InboxRow>();
  for (const part of partsOf(keys, CHUNK)) {
    for (const row of await rowsOf(db, scope).where('key', 'in', part).execute()) found.set(row.key, row);
  }
  return found;
}

export async function countInbox(db: CloudSyncDb, scope: Scope): Promise<number> {
  const { total } = await db
    .selectFrom('cloud_sync_inbox')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function dropInbox(db: CloudSyncDb, scope: Scope, keys: readonly SyncKey[]): Promise<void> {
  for (const part of partsOf(keys, CHUNK)) {
    await db
      .deleteFrom('cloud_sync_inbox')
      .where('tenant_id', '=', scope.tenantId)
      .where('project_id', '=', scope.projectId)
      .where('key', 'in', part)
      .execute();
  }
}
