import type { Kysely } from 'kysely';
import { partsOf } from '../../kit/parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import { bucketGroups, bucketsOf } from './edges.store.ts';
import type { EntityDocumentsTable, EntityRow, RecordsDb, RecordTables } from './records.tables.ts';
import type { Project } from './scope.ts';

const IDS_PER_QUERY = 500;

export type StoredReferrer = EntityRow & Pick<EntityDocumentsTable, 'json' | 'head'>;

const edgesFrom = (db: Kysely<RecordTables>, buckets: readonly number[], types: readonly string[]) =>
  db
    .selectFrom('entity_references as edge')
    .innerJoin('entities', 'entities.row_id', 'edge.row_id')
    .select('edge.row_id')
    .distinct()
    .where('edge.bucket', 'in', buckets)
    .where('entities.entity_type', 'in', types);

export async function* referrerIds(
  project: Project,
  { ids, types, invalidOnly }: { ids: readonly string[]; types: readonly string[]; invalidOnly: boolean },
): AsyncGenerator<number[]> {
  const { read } = project.database;
  for await (const group of bucketGroups(await read((db: RecordsDb) => bucketsOf(db, project)))) {
    for (const part of partsOf(ids, IDS_PER_QUERY)) {
      const rows = await read((db: RecordsDb) =>
        edgesFrom(db, group, types)
          .where('edge.to_id', 'in', part)
          .$if(invalidOnly, (query) => query.where('entities.is_valid', '=', 0))
          .execute(),
      );
      if (rows.length > 0) yield rows.map(({ row_id }) => row_id);
    }
  }
}

/** Entities whose validity may be out of date: valid ones that refer to an unknown id, and invalid ones with any reference. */
export async function* doubtfulReferrerIds(
  project: Project,
  types: readonly string[],
): AsyncGenerator<number[]> {
  const { read } = project.database;
  for await (const group of bucketGroups(await read((db: RecordsDb) => bucketsOf(db, project)))) {
    const rows = await read((db: RecordsDb) =>
      edgesFrom(db, group, types)
        .where((eb) =>
          eb.or([
            eb('entities.is_valid', '=', 0),
            eb.not(
              eb.exists(
                eb
                  .selectFrom('entities as target')
                  .select('target.row_id')
                  .whereRef('target.tenant_id', '=', 'entities.tenant_id')
                  .whereRef('target.project_id', '=', 'entities.project_id')
                  .whereRef('target.entity_id', '=', 'edge.to_id'),
              ),
            ),
          ]),
        )
        .execute(),
    );
    if (rows.length > 0) yield rows.map(({ row_id }) => row_id);
  }
}

export const findReferrers = (db: Kysely<RecordTables>, project: Project, rowIds: readonly number[]) =>
  inProject(db, project)
    .selectFrom('entities')
    .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
    .selectAll('entities')
    .select(['entity_documents.json', 'entity_documents.head'])
    .where('entities.row_id', 'in', rowIds)
    .execute();
