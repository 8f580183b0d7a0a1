import { newId } from '../../kit/ids.ts';
import type { EntityRow, RecycleRow } from '../records/index.ts';
import { FILES_BIN, RECYCLE_ROOT } from '../texts/index.ts';

/** A unique place in the bin for a deleted file, which keeps its path below it. */
export const binOfFile = (path: string): string => `${FILES_BIN}/${newId()}/${path}`;

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** The bin folder of a deleted entity. It follows from the row alone, so it is recognised after a crash; the row id tells lives apart. */
export const recycleFolderOf = (row: Pick<EntityRow, 'path' | 'row_id'>): string =>
  `${RECYCLE_ROOT}/${folderOf(row.path)}~${row.row_id.toString(36)}`;

export const recycleRowOf = (
  row: EntityRow,
  options: { itemId: string; folder: string | null; content: string; at: string; actor: string | null },
): RecycleRow => ({
  item_id: options.itemId,
  tenant_id: row.tenant_id,
  project_id: row.project_id,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  name: row.name,
  row_id: row.row_id,
  version: row.version,
  folder: options.folder,
  original_folder: folderOf(row.path),
  path: row.path,
  content: options.content,
  record: JSON.stringify(row),
  deleted_at: options.at,
  deleted_by: options.actor,
});
