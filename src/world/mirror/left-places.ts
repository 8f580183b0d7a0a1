import { createPauses } from '../../kit/pauses.ts';
import { findEntityRow, type Project, type RecordsDb } from '../records/index.ts';
import type { ImportItem } from '../texts/index.ts';

/** Former paths of these entities without a file: the watcher may report a renamed folder under its new name only. */
export async function leftPlaces(project: Project, items: readonly ImportItem[]): Promise<string[]> {
  const left: string[] = [];
  const pause = createPauses();
  for (const { state } of items) {
    if (state === null) continue;
    const { entity_type, entity_id, path } = state;
    const owner = await project.database.read((db: RecordsDb) =>
      findEntityRow(db, project, entity_type, entity_id),
    );
    if (owner && owner.path !== path && (await project.files.stat(owner.path)) === undefined)
      left.push(owner.path);
    await pause();
  }
  return left;
}
