import { idsOf } from '../entities/index.ts';
import type { Project, RecordsDb } from '../records/index.ts';
import { takenIds } from './generation.store.ts';

/** An id for a new entity of this name; accepting the proposal finds out whether it still is free. */
export async function freeIdOf(project: Project, entityType: string, name: string): Promise<string> {
  const ids = [...idsOf(name, entityType)];
  const taken = await project.database.read((db: RecordsDb) => takenIds(db, project, entityType, ids));
  return ids.find((id) => !taken.has(id)) ?? ids[0] ?? entityType;
}
