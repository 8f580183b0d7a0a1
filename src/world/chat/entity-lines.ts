import type { Entities } from '../entities/index.ts';
import { loadVersion } from '../entities/index.ts';
import type { EntityName, Project } from '../records/index.ts';

/** An entity's file, as it was read. */
export interface EntityLines extends EntityName {
  name: string;
  version: number;
  path: string;
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
  const { name, version, path } = row;
  return { entity_type, entity_id, name, version, path, text, lines: text.replace(/\n$/, '').split('\n') };
}

export const keyOf = ({ entity_type, entity_id }: EntityName): string => `${entity_type}/${entity_id}`;

/** Where the API serves it. */
export const urlOf = (entity: EntityName): string => `/api/entity/${keyOf(entity)}`;
