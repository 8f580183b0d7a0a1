import type { Entities } from '../entities/index.ts';
import { loadVersion } from '../entities/index.ts';
import type { EntityName, Project } from '../records/index.ts';

/** An entity's file, as it was read. */
export interface EntityLines extends EntityName {
  name: string;
  version: number;
  text: string;
  /** The first is line 1. */
  lines: readonly string[];
}

/** 404 if there is no such entity. */
export async function readLines(
  entities: Pick<Entities, 'findRow'>,
  project: Project,
  { entity_type, entity_id }: EntityName,
): Promise<EntityLines> {
  const row = await entities.findRow(project, entity_type, entity_id);
  const { text } = await loadVersion(project, row, row.version);
  const { name, version } = row;
  return { entity_type, entity_id, name, version, text, lines: text.replace(/\n$/, '').split('\n') };
}

/** Reads each file once, however many of its lines are asked for. */
export function createLineReader(entities: Pick<Entities, 'findRow'>, project: Project) {
  const files = new Map<string, EntityLines>();
  return async (name: EntityName): Promise<EntityLines> => {
    const file = files.get(keyOf(name)) ?? (await readLines(entities, project, name));
    files.set(keyOf(name), file);
    return file;
  };
}

export const keyOf = ({ entity_type, entity_id }: EntityName): string => `${entity_type}/${entity_id}`;

/** Where the API serves it. */
export const urlOf = (entity: EntityName): string => `/api/entity/${keyOf(entity)}`;
