import type { Kysely } from 'kysely';
import type { SearchPhrase } from '../../content/search-text.ts';
import {
  type Project,
  projectScope,
  type RecordTables,
  typeScope,
  typesWithEntities,
} from '../records/index.ts';
import { documentsOf } from './entities.store.ts';

type Database = Kysely<RecordTables>;

export interface ProjectSearch {
  phrases: readonly SearchPhrase[];
  knownTypes: ReadonlyMap<string, unknown>;
  entityTypes: readonly string[] | null;
  limit: number;
  /** Only names and aliases count. */
  inName?: boolean;
}

export interface FoundRows {
  /** Null for all types. */
  entityType: string | null;
  total: number;
  rowIds: number[];
}

/** One list for all types, or one for each that is asked for; best first. */
export async function searchRows(
  db: Database,
  project: Project,
  { phrases, knownTypes, entityTypes, limit, inName = false }: ProjectSearch,
): Promise<FoundRows[]> {
  const scopes =
    entityTypes === null
      ? [{ entityType: null, scope: projectScope(project.number) }]
      : entityTypes.map((entityType) => ({ entityType, scope: typeScope(project.number, entityType) }));
  // Entities without a template keep their rows but stay hidden until it is back.
  const hidden = (await typesWithEntities(db, project)).filter((type) => !knownTypes.has(type));
  const without = hidden.map((type) => typeScope(project.number, type));
  const { fullText } = project.database.dialect;
  return Promise.all(
    scopes.map(async ({ entityType, scope }) => ({
      entityType,
      ...(await fullText.find(db, { scope, without, phrases, inName, limit, offset: 0 })),
    })),
  );
}

/** The same with JSON texts. */
export const searchProject = (
  project: Project,
  search: ProjectSearch,
): Promise<{ entityType: string | null; total: number; rows: string[] }[]> =>
  project.database.read(async (db: Database) => {
    const lists = await searchRows(db, project, search);
    return Promise.all(
      lists.map(async ({ entityType, total, rowIds }) => ({
        entityType,
        total,
        rows: await documentsOf(db, rowIds),
      })),
    );
  });
