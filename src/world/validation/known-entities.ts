import { setImmediate as turn } from 'node:timers/promises';
import { type KnownEntities, nameKey } from '../../content/fixes/index.ts';
import { type Project, pages } from '../records/index.ts';
import { namedEntities, unreadableEntities } from './fix.store.ts';

const PAGE = 1_000;

interface TypeEntities {
  /** Paths of main files by id; null for an unreadable file. */
  paths: Map<string, string | null>;
  /** Ids by the folded words that stand for them. */
  byName: Map<string, string[]>;
}

export interface EntityPlace {
  entity_type: string;
  entity_id: string;
  path: string;
}

export interface ProjectEntities {
  known: KnownEntities;
  /** The readable entities of a type, or of all types. */
  places(entityType: string | null): Iterable<EntityPlace>;
}

/** Loads the entities of the given types by id and name into memory, since each reference looks one up. */
export async function knownEntities(project: Project, types: Iterable<string>): Promise<ProjectEntities> {
  const all = new Map<string, TypeEntities>();
  for (const type of types) all.set(type, await entitiesOf(project, type));
  for (const { entity_type, entity_id } of await unreadableEntities(project)) {
    const paths = all.get(entity_type ?? '')?.paths;
    if (entity_id !== null && !paths?.has(entity_id)) paths?.set(entity_id, null);
  }
  return {
    known: {
      hasType: (type) => all.has(type),
      exists: (type, id) => all.get(type)?.paths.has(id) === true,
      meant: (type, word) => all.get(type)?.byName.get(nameKey(word)) ?? [],
    },
    *places(entityType) {
      for (const [entity_type, { paths }] of all) {
        if (entityType !== null && entityType !== entity_type) continue;
        for (const [entity_id, path] of paths) if (path !== null) yield { entity_type, entity_id, path };
      }
    },
  };
}

async function entitiesOf(project: Project, type: string): Promise<TypeEntities> {
  const found: TypeEntities = { paths: new Map(), byName: new Map() };
  const readPage = (after: string, limit: number) => namedEntities(project, type, after, limit);
  for await (const page of pages('', readPage, (row) => row.entity_id, PAGE)) {
    for (const { entity_id, name, path } of page) {
      found.paths.set(entity_id, path);
      for (const key of new Set([nameKey(entity_id), nameKey(name)])) {
        const ids = found.byName.get(key);
        if (ids) ids.push(entity_id);
        else found.byName.set(key, [entity_id]);
      }
    }
    await turn();
  }
  return found;
}
