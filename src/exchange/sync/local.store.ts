import { inParts } from '../../platform/database/in-parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import {
  changedFiles,
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

export const filesChangedAfter = (db: SyncDb, scope: Scope, seq: number, limit: number) =>
  changedFiles(db, scope, seq)
    .select(['path', 'entry_type', 'entity_type', 'entity_id', 'sha256', 'seq', 'deleted_at'])
    .limit(limit)
    .execute();

export async function findEntities(
  db: SyncDb,
  project: Project,
  names: readonly { type: string; id: string }[],
): Promise<EntityRow[]> {
  const rows: EntityRow[] = [];
  for (const [type, group] of Map.groupBy(names, (name) => name.type)) {
    const ids = [...new Set(group.map(({ id }) => id))];
    rows.push(...(await inParts(ids, (part) => findEntityRows(db, project, type, part))));
  }
  return rows;
}

export async function findLiveFiles(
  db: SyncDb,
  project: Project,
  paths: readonly string[],
): Promise<Map<string, FileRow>> {
  const found = await inParts(paths, async (part) => [...(await findFiles(db, project, part))]);
  return new Map(found.filter(([, row]) => row.deleted_at === null));
}

export const findFilesOf = (db: SyncDb, scope: Scope, hashes: readonly string[]) =>
  inParts([...new Set(hashes)], (part) =>
    inProject(db, scope)
      .selectFrom('files')
      .select(['path', 'sha256'])
      .where('sha256', 'in', part)
      .where('deleted_at', 'is', null)
      .execute(),
  );

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
  const rows = await inParts(rowIds, (part) =>
    db
      .selectFrom('entity_documents')
      .select(['row_id', 'json', 'head'])
      .where('row_id', 'in', part)
      .execute(),
  );
  return new Map(rows.map((row) => [row.row_id, fileTextOf(row)]));
}
