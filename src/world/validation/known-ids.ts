import { setImmediate as turn } from 'node:timers/promises';
import type { EntityExists } from '../../content/rules/index.ts';
import { type Project, pages } from '../records/index.ts';
import { entityKeys } from './validation.store.ts';

export interface KnownIds {
  exists: EntityExists;
  /** Row ids of a type's entities, or of all, ordered by type and id. */
  rows(entityType: string | null): number[];
}

/** Loads the ids of entities of the given types into memory: rules look them up by the thousand. */
export async function knownIds(project: Project, types: Iterable<string>): Promise<KnownIds> {
  const known = new Map<string, Map<string, number>>();
  for (const type of types) known.set(type, await idsOf(project, type));
  return {
    exists: (type, id) =>
      type === null ? [...known.values()].some((ids) => ids.has(id)) : (known.get(type)?.has(id) ?? false),
    rows: (type) =>
      [...known].flatMap(([each, ids]) => (type === null || type === each ? [...ids.values()] : [])),
  };
}

async function idsOf(project: Project, type: string): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const readPage = (after: string, limit: number) => entityKeys(project, type, after, limit);
  for await (const page of pages('', readPage, (row) => row.entity_id)) {
    for (const { entity_id, row_id } of page) ids.set(entity_id, row_id);
    await turn();
  }
  return ids;
}
