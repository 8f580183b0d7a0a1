import { contentOf, type Entities } from '../../entities/index.ts';
import { type EntityRow, findLastLife, type Project, type RecordsDb } from '../../records/index.ts';

/** JSON of the last state of a deleted entity; null if it is not kept. */
export async function lastStateOf(
  entities: Entities,
  project: Project,
  { entity_type, entity_id }: { entity_type: string; entity_id: string },
): Promise<string | null> {
  const item = await project.database.read((db: RecordsDb) =>
    findLastLife(db, project, entity_type, entity_id),
  );
  const template = (await entities.typesOf(project)).has(entity_type)
    ? await entities.templateOf(project, entity_type)
    : null;
  if (item === undefined || template === null) return null;
  const info = JSON.parse(item.record) as EntityRow;
  const content = contentOf(template, item, { info, text: item.content });
  return JSON.stringify({ entity_type, entity_id, ...content });
}
