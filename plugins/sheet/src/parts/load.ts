import type { Panel } from '../../../kit/host.ts';
import type { Entity } from './entity.ts';

const PAGE = 200;

/** All entries of a type, in the order of their ids; one that moved between two pages is taken once. */
export async function loadEntities(
  call: Panel['call'],
  type: string,
  onProgress: (loaded: number, total: number) => void,
): Promise<Entity[]> {
  const found = new Map<string, Entity>();
  for (let offset = 0; ; offset += PAGE) {
    const page = { entity_type: type, limit: PAGE, offset, sort_by: 'entity_id', sort_order: 'asc' } as const;
    const { entities, total } = await call('entities.list', page);
    for (const entity of entities) found.set(entity.entity_id, entity);
    onProgress(found.size, total);
    if (entities.length < PAGE) return [...found.values()];
  }
}
