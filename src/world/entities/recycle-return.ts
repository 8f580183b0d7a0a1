import { checksumOf } from '../../kit/crypto.ts';
import type { EntityRow, Project, RecordsDb, RecycleRow } from '../records/index.ts';
import type { EntityState } from '../texts/index.ts';

/** A deleted entity whose file lies where it lay before: the life that it takes up again. */
export interface Returned {
  item_id: string;
  row_id: number;
  version: number;
  created_at: string;
}

/**
 * Those of `states` that are deleted entities come back, by path: the same bytes at the same place, with nothing left
 * in the recycle bin. So it is after a restore that a crash cut short, and when a folder is moved away and back.
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

/** Newest first. */
const itemsOf = (project: Project, paths: readonly string[]): Promise<RecycleRow[]> =>
  project.database.read((db: RecordsDb) =>
    db
      .selectFrom('recycle_items')
      .selectAll()
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
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
