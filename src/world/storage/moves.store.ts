import type { Dialect } from '../../platform/database/dialect.ts';
import {
  NOT_YET_COPIED,
  type StorageDb,
  type StorageMoveFileRow,
  type StorageMoveRow,
} from './storage.tables.ts';

/** The move that is under way. */
export const findCurrentMove = (db: StorageDb, tenantId: string): Promise<StorageMoveRow | undefined> =>
  db
    .selectFrom('storage_moves')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'copying')
    .executeTakeFirst();

/** The one that began last. */
export const findLastMove = (db: StorageDb, tenantId: string): Promise<StorageMoveRow | undefined> =>
  db
    .selectFrom('storage_moves')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('started_at', 'desc')
    .orderBy('move_id')
    .executeTakeFirst();

/** Tenants whose content is on its way. Asked of the whole installation. */
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

/** Changes a move that is under way; resolves to whether it was. */
export async function updateMove(
  db: StorageDb,
  tenantId: string,
  moveId: string,
  changes: Partial<StorageMoveRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('storage_moves')
    .set(changes)
    .where('tenant_id', '=', tenantId)
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
  const rows = await db
    .selectFrom('storage_move_files')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
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
  db
    .deleteFrom('storage_move_files')
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('path', 'in', paths)
    .execute();

export const forgetMoveFiles = (db: StorageDb, tenantId: string) =>
  db.deleteFrom('storage_move_files').where('tenant_id', '=', tenantId).execute();

/** How many files a move has copied, and their bytes. */
export async function countMoveFiles(
  db: StorageDb,
  tenantId: string,
): Promise<{ files: number; bytes: number }> {
  const row = await db
    .selectFrom('storage_move_files')
    .select((eb) => [eb.fn.countAll().as('files'), eb.fn.sum<number | string | null>('size').as('bytes')])
    .where('tenant_id', '=', tenantId)
    .where('sha256', '!=', NOT_YET_COPIED)
    .executeTakeFirst();
  return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** Files of a project that are known to be there. */
export async function knownPaths(db: StorageDb, tenantId: string, projectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('path')
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map((row) => row.path);
}

/** A copied file is known as it is at its new place, so that nobody reads it again. */
export async function followFile(db: StorageDb, row: StorageMoveFileRow): Promise<void> {
  await db
    .updateTable('files')
    .set({ mtime_ms: row.to_mtime_ms, ctime_ms: row.to_ctime_ms, ino: row.to_ino })
    .where('tenant_id', '=', row.tenant_id)
    .where('project_id', '=', row.project_id)
    .where('path', '=', row.path)
    .where('sha256', '=', row.sha256)
    .where('deleted_at', 'is', null)
    .execute();
}
