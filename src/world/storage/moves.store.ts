import type { Dialect } from '../../platform/database/dialect.ts';
import { inProject, inTenant, scopeOf } from '../../platform/database/scoped.ts';
import {
  NOT_YET_COPIED,
  type StorageDb,
  type StorageMoveFileRow,
  type StorageMoveRow,
} from './storage.tables.ts';

export const findCurrentMove = (db: StorageDb, tenantId: string): Promise<StorageMoveRow | undefined> =>
  inTenant(db, tenantId)
    .selectFrom('storage_moves')
    .selectAll()
    .where('status', '=', 'copying')
    .executeTakeFirst();

export const findLastMove = (db: StorageDb, tenantId: string): Promise<StorageMoveRow | undefined> =>
  inTenant(db, tenantId)
    .selectFrom('storage_moves')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('move_id')
    .executeTakeFirst();

/** Tenants with a running move, over the whole installation. */
export async function tenantsMoving(db: StorageDb): Promise<string[]> {
  const rows = await db
    .selectFrom('storage_moves')
    .select('tenant_id')
    .where('status', '=', 'copying')
    .execute();
  return rows.map((row) => row.tenant_id);
}

export const insertMove = (db: StorageDb, row: StorageMoveRow) =>
  db.insertInto('storage_moves').values(row).execute();

/** False if there is none. */
export async function updateMove(
  db: StorageDb,
  tenantId: string,
  moveId: string,
  changes: Partial<StorageMoveRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await inTenant(db, tenantId)
    .updateTable('storage_moves')
    .set(changes)
    .where('move_id', '=', moveId)
    .where('status', '=', 'copying')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findMoveFiles(
  db: StorageDb,
  tenantId: string,
  projectId: string,
): Promise<Map<string, StorageMoveFileRow>> {
  const rows = await inProject(db, { tenantId, projectId })
    .selectFrom('storage_move_files')
    .selectAll()
    .execute();
  return new Map(rows.map((row) => [row.path, row]));
}

const KEY = ['tenant_id', 'project_id', 'path'];
const VALUES = [
  ...['size', 'sha256', 'from_mtime_ms', 'from_ctime_ms', 'from_ino'],
  ...['to_mtime_ms', 'to_ctime_ms', 'to_ino'],
];

export const putMoveFiles = (db: StorageDb, dialect: Dialect, rows: readonly StorageMoveFileRow[]) =>
  dialect.upsert(db, 'storage_move_files', rows, { conflict: KEY, update: VALUES });

export const removeMoveFiles = (
  db: StorageDb,
  tenantId: string,
  projectId: string,
  paths: readonly string[],
) =>
  inProject(db, { tenantId, projectId })
    .deleteFrom('storage_move_files')
    .where('path', 'in', paths)
    .execute();

export const forgetMoveFiles = (db: StorageDb, tenantId: string) =>
  inTenant(db, tenantId).deleteFrom('storage_move_files').execute();

export async function countMoveFiles(
  db: StorageDb,
  tenantId: string,
): Promise<{ files: number; bytes: number }> {
  const row = await inTenant(db, tenantId)
    .selectFrom('storage_move_files')
    .select((eb) => [eb.fn.countAll().as('files'), eb.fn.sum<number | string | null>('size').as('bytes')])
    .where('sha256', '!=', NOT_YET_COPIED)
    .executeTakeFirst();
  return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
}

export async function knownPaths(db: StorageDb, tenantId: string, projectId: string): Promise<string[]> {
  const rows = await inProject(db, { tenantId, projectId })
    .selectFrom('files')
    .select('path')
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map((row) => row.path);
}

/** Updates the row of a copied file to its stat at the new place, so that no sync reads it again. */
export async function followFile(db: StorageDb, row: StorageMoveFileRow): Promise<void> {
  await inProject(db, scopeOf(row))
    .updateTable('files')
    .set({ mtime_ms: row.to_mtime_ms, ctime_ms: row.to_ctime_ms, ino: row.to_ino })
    .where('path', '=', row.path)
    .where('sha256', '=', row.sha256)
    .where('deleted_at', 'is', null)
    .execute();
}
