import { inParts } from '../../platform/database/in-parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import {
  bucketGroups,
  bucketsOf,
  type Project,
  type RecordsDb,
  TEMPLATE_ROW_TYPE,
} from '../records/index.ts';

export interface NearRow {
  row_id: number;
  entity_type: string;
  entity_id: string;
  path: string;
  json: string;
  /** Ids that it refers to. */
  targets: string[];
}

const documents = (db: RecordsDb, project: Project) =>
  inProject(db, project)
    .selectFrom('entities')
    .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
    .select(['entities.row_id', 'entity_type', 'entity_id', 'path', 'json'])
    .where('entity_type', '<>', TEMPLATE_ROW_TYPE)
    .where('status', '<>', 'archived');

async function withTargets(db: RecordsDb, rows: readonly Omit<NearRow, 'targets'>[]): Promise<NearRow[]> {
  const ids = rows.map(({ row_id }) => row_id);
  const edges = await inParts(ids, (part) =>
    db.selectFrom('entity_references').select(['row_id', 'to_id']).where('row_id', 'in', part).execute(),
  );
  const byRow = Map.groupBy(edges, ({ row_id }) => row_id);
  return rows.map((row) => ({ ...row, targets: (byRow.get(row.row_id) ?? []).map(({ to_id }) => to_id) }));
}

/** Of any type. */
export const rowsOfIds = (project: Project, ids: readonly string[]): Promise<NearRow[]> =>
  project.database.read(async (db: RecordsDb) => {
    const rows = await inParts(ids, (part) =>
      documents(db, project).where('entity_id', 'in', part).execute(),
    );
    return withTargets(db, rows);
  });

export const rowsReferringTo = (project: Project, ids: readonly string[], most: number): Promise<NearRow[]> =>
  project.database.read(async (db: RecordsDb) => {
    const found = new Set<number>();
    for await (const group of bucketGroups(await bucketsOf(db, project))) {
      const edges = await inParts(ids, (part) =>
        db
          .selectFrom('entity_references')
          .select('row_id')
          .distinct()
          .where('bucket', 'in', group)
          .where('to_id', 'in', part)
          .limit(most - found.size)
          .execute(),
      );
      for (const { row_id } of edges) found.add(row_id);
      if (found.size >= most) break;
    }
    const rows = await inParts([...found], (part) =>
      documents(db, project).where('entities.row_id', 'in', part).execute(),
    );
    return withTargets(db, rows);
  });
