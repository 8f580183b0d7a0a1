import { checksumOf } from '../../kit/crypto.ts';
import { inProject } from '../../platform/database/scoped.ts';
import type { EntityRow, Project, RecordsDb, RecycleRow } from '../records/index.ts';
import type { EntityState } from '../texts/index.ts';

/** A deleted entity whose file is back at its former place; it continues its history. */
export interface Returned {
  item_id: string;
  row_id: number;
  version: number;
  created_at: string;
}

/**
 * Deleted entities whose bytes are at the same place again, with nothing left in the bin: after an interrupted restore, and when
 * a folder is moved away and back.
 */
export async function findReturned(
  project: Project,
  states: readonly EntityState[],
): Promise<Map<string, Returned>> {
  const returned = new Map<string, Returned>();
  if (states.length === 0) return returned;
  const byPath = new Map(states.map((state) => [state.path, state]));
  for (const item of await itemsOf(project, [...byPath.keys()])) {
    const state = byPath.get(item.path);
    const isSame =
      state?.entity_type === item.entity_type &&
      state.entity_id === item.entity_id &&
      state.file_checksum === checksumOf(item.content);
    if (!isSame || returned.has(item.path) || (await isInBin(project, item))) continue;
    const { created_at } = JSON.parse(item.record) as EntityRow;
    const { item_id, row_id, version } = item;
    returned.set(item.path, { item_id, row_id, version, created_at });
  }
  return returned;
}

const itemsOf = (project: Project, paths: readonly string[]): Promise<RecycleRow[]> =>
  project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('recycle_items')
      .selectAll()
      .where('path', 'in', paths)
      .orderBy('deleted_at', 'desc')
      .execute(),
  );

const isInBin = async (project: Project, { folder }: RecycleRow): Promise<boolean> =>
  folder !== null &&
  project.files.list(folder).then(
    () => true,
    () => false,
  );
