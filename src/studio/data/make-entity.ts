import { apiOf } from './api.ts';
import { markWorld } from './cache.ts';

/** Makes an entity of a name alone, to which a text or a field refers from now on. */
export async function makeEntity(
  project: string,
  type: string,
  name: string,
): Promise<{ type: string; id: string }> {
  const { entity_id } = await apiOf(project).createEntity({ params: { type }, body: { name } });
  await markWorld(project);
  return { type, id: entity_id };
}
