import type { EntityRow, FileRow, Project } from '../../world/records/index.ts';
import { digitsOf } from './checksums.ts';
import { entityKey, namedKey, type SyncKey } from './keys.ts';
import { findEntities, findEntitiesAt, findLiveFiles } from './local.store.ts';
import type { SyncDb } from './sync.tables.ts';

/** A key's local state as the database knows it. */
export interface LocalItem {
  sha256: string;
  path: string;
  /** Null for a file. */
  row: EntityRow | null;
  file: FileRow | null;
  /** Why it can be neither sent nor replaced, such as an unreadable file. */
  problem: string | null;
}

const problemOf = (file: FileRow | undefined): string | null => {
  if (!file?.problem) return null;
  const { line, reason } = JSON.parse(file.problem) as { line: number; reason: string };
  return `${file.path}:${line} cannot be read: ${reason}`;
};

/** True if the entity's file cannot be parsed; its row then still holds the previous version. */
export const isDamaged = (item: LocalItem | undefined): boolean =>
  item !== undefined && item.row !== null && item.problem !== null;

/** Keys with nothing here are absent from the result. */
export async function readLocal(
  db: SyncDb,
  project: Project,
  keys: readonly SyncKey[],
): Promise<Map<SyncKey, LocalItem>> {
  const named = keys.map((key) => ({ key, ...namedKey(key) }));
  const found = new Map<SyncKey, LocalItem>();
  const rows = await findEntities(
    db,
    project,
    named.flatMap((each) => (each.kind === 'entity' ? [each] : [])),
  );
  const paths = named.flatMap((each) => (each.kind === 'file' ? [each.path] : []));
  const files = await findLiveFiles(db, project, [...paths, ...rows.map(({ path }) => path)]);
  for (const row of rows) {
    const file = files.get(row.path);
    found.set(entityKey(row.entity_type, row.entity_id), {
      sha256: digitsOf(row.file_checksum),
      path: row.path,
      row,
      file: file ?? null,
      problem: problemOf(file),
    });
  }
  const entityPaths = await findEntitiesAt(db, project, [...files.values()]);
  for (const each of named) {
    if (each.kind !== 'file' || entityPaths.has(each.path)) continue;
    const file = files.get(each.path);
    if (file)
      found.set(each.key, {
        sha256: file.sha256,
        path: file.path,
        row: null,
        file,
        problem: problemOf(file),
      });
  }
  return found;
}
