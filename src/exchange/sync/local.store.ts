import { partsOf } from '../../kit/parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import {
  type EntityRow,
  type FileRow,
  findEntityRows,
  findFiles,
  type Project,
  type Scope,
} from '../../world/records/index.ts';
import { fileTextOf } from '../../world/texts/index.ts';
import type { SyncDb } from './sync.tables.ts';

export type ChangedFile = Pick<
  FileRow,
  'path' | 'entry_type' | 'entity_type' | 'entity_id' | 'sha256' | 'seq' | 'deleted_at'
>;

/** Ordered by `seq`; includes tombstones of deleted files. */
export const filesChangedAfter = (
  db: SyncDb,
  scope: Scope,
  seq: number,
  limit: number,
): Promise<ChangedFile[]> =>
  inProject(db, scope)
    .selectFrom('files')
    .select(['path', 'entry_type', 'entity_type', 'entity_id', 'sha256', 'seq', 'deleted_at'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();

/** So many are asked for in one query. */
const CHUNK = 500;

export async function findEntities(
  db: SyncDb,
  project: Project,
  names: readonly { type: string; id: string }[],
): Promise<EntityRow[]> {
  const rows: EntityRow[] = [];
  for (const [type, group] of Map.groupBy(names, (name) => name.type)) {
    for (const ids of partsOf([...new Set(group.map(({ id }) => id))], CHUNK))
      rows.push(...(await findEntityRows(db, project, type, ids)));
  }
  return rows;
}

export async function findLiveFiles(
  db: SyncDb,
  project: Project,
  paths: readonly string[],
): Promise<Map<string, FileRow>> {
  const live = new Map<string, FileRow>();
  for (const chunk of partsOf(paths, CHUNK))
    for (const [path, row] of await findFiles(db, project, chunk))
      if (row.deleted_at === null) live.set(path, row);
  return live;
}

export async function findFilesOf(
  db: SyncDb,
  scope: Scope,
  hashes: readonly string[],
): Promise<{ path: string; sha256: string }[]> {
  const found: { path: string; sha256: string }[] = [];
  for (const chunk of partsOf([...new Set(hashes)], CHUNK)) {
    const files = await inProject(db, scope)
      .selectFrom('files')
      .select(['path', 'sha256'])
      .where('sha256', 'in', chunk)
      .where('deleted_at', 'is', null)
      .execute();
    found.push(...files);
  }
  return found;
}

/** Entities whose own file is among these, by path. */
export async function findEntitiesAt(
  db: SyncDb,
  project: Project,
  files: readonly ChangedFile[],
): Promise<Map<string, EntityRow>> {
  const names = files.flatMap(({ entry_type, entity_type: type, entity_id: id }) =>
    entry_type === 'markdown' && type !== null && id !== null ? [{ type, id }] : [],
  );
  const paths = new Set(files.map(({ path }) => path));
  const rows = await findEntities(db, project, names);
  return new Map(rows.filter(({ path }) => paths.has(path)).map((row) => [row.path, row]));
}

/** The exact texts of entity files, by row id. */
export async function findTexts(db: SyncDb, rowIds: readonly number[]): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  for (const ids of partsOf(rowIds, CHUNK)) {
    const rows = await db
      .selectFrom('entity_documents')
      .select(['row_id', 'json', 'head'])
      .where('row_id', 'in', ids)
      .execute();
    for (const row of rows) texts.set(row.row_id, fileTextOf(row));
  }
  return texts;
}
