import { inProject, scopeOf } from '../../platform/database/scoped.ts';
import type { Scope } from '../../world/records/index.ts';
import type { DriveConnection } from './connections.ts';
import type { DriveConnectionRow, DriveDb } from './drive.tables.ts';

const connectionOf = (row: DriveConnectionRow): DriveConnection => ({
  tenantId: row.tenant_id,
  projectId: row.project_id,
  rootFolderId: row.root_folder_id,
  rootFolderName: row.root_folder_name,
  userId: row.user_id,
  source: row.source,
  connectedAt: row.connected_at,
});

export async function findConnection(db: DriveDb, scope: Scope): Promise<DriveConnection | null> {
  const row = await inProject(db, scope).selectFrom('drive_connections').selectAll().executeTakeFirst();
  return row === undefined ? null : connectionOf(row);
}

/** Of all tenants. */
export const listConnected = async (db: DriveDb): Promise<Scope[]> =>
  (
    await db
      .selectFrom('drive_connections')
      .select(['tenant_id', 'project_id'])
      .orderBy('tenant_id')
      .orderBy('project_id')
      .execute()
  ).map(scopeOf);

/** Replaces the project's former one. */
export async function putConnection(
  db: DriveDb,
  connection: DriveConnection,
  parentIds: readonly string[],
): Promise<void> {
  const row: DriveConnectionRow = {
    tenant_id: connection.tenantId,
    project_id: connection.projectId,
    root_folder_id: connection.rootFolderId,
    root_folder_name: connection.rootFolderName,
    parent_ids: JSON.stringify(parentIds),
    user_id: connection.userId,
    source: connection.source,
    connected_at: connection.connectedAt,
  };
  await db
    .insertInto('drive_connections')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'project_id']).doUpdateSet(row))
    .execute();
}

export async function removeConnection(db: DriveDb, scope: Scope): Promise<void> {
  await inProject(db, scope).deleteFrom('drive_connections').execute();
}

/** Of all tenants: connections to one of the folders, or to a folder in the first of them. */
export async function connectionsAround(
  db: DriveDb,
  folderIds: readonly [string, ...string[]],
): Promise<DriveConnection[]> {
  const [folderId] = folderIds;
  // The pattern may find more, since `_` stands for any letter in it.
  const rows = await db
    .selectFrom('drive_connections')
    .selectAll()
    .where((is) =>
      is.or([is('root_folder_id', 'in', folderIds), is('parent_ids', 'like', `%"${folderId}"%`)]),
    )
    .execute();
  const isIn = ({ parent_ids }: DriveConnectionRow) =>
    (JSON.parse(parent_ids) as string[]).includes(folderId);
  return rows.filter((row) => folderIds.includes(row.root_folder_id) || isIn(row)).map(connectionOf);
}
