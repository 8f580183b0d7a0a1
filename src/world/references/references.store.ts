import type { Kysely } from 'kysely';
import { inProject } from '../../platform/database/scoped.ts';
import {
  bucketGroups,
  bucketsOf,
  type EdgeKey,
  type EntityName,
  type EntityNode,
  edgesOf,
  isAfter,
  type Project,
  type RecordsDb,
  type RecordTables,
  rowIdOf,
  TEMPLATE_ROW_TYPE,
} from '../records/index.ts';

/** A key before all edges of a project. */
export const firstKey = (project: Project): EdgeKey => ({ row_id: rowIdOf(project.number, 0), position: -1 });
const lastKey = (project: Project): EdgeKey => ({ row_id: rowIdOf(project.number + 1, 0), position: -1 });

/** The key of the edge a number of edges after another; the end of the project if there are fewer. */
export async function keyAhead(
  db: RecordsDb,
  project: Project,
  after: EdgeKey,
  count: number,
): Promise<EdgeKey & { isEnd: boolean }> {
  const end = lastKey(project);
  const row = await db
    .selectFrom('entity_references as edge')
    .select(['edge.row_id', 'edge.position'])
    .where(isAfter(after))
    .where('edge.row_id', '<', end.row_id)
    .orderBy('edge.row_id')
    .orderBy('edge.position')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return row ? { ...row, isEnd: false } : { ...end, isEnd: true };
}

/** Edges between two keys that may be broken: those with a missing typed target, and all without a type. */
export const doubtfulEdges = (db: RecordsDb, project: Project, after: EdgeKey, upTo: EdgeKey) =>
  edgesOf(db)
    .where(isAfter(after))
    .where((eb) =>
      eb(eb.refTuple('edge.row_id', 'edge.position'), '<=', eb.tuple(upTo.row_id, upTo.position)),
    )
    .where((eb) =>
      eb.or([
        eb('edge.to_type', 'is', null),
        eb.not(
          eb.exists(
            eb
              .selectFrom('entities as target')
              .select('target.row_id')
              .where('target.tenant_id', '=', project.tenantId)
              .where('target.project_id', '=', project.projectId)
              .whereRef('target.entity_type', '=', 'edge.to_type')
              .whereRef('target.entity_id', '=', 'edge.to_id'),
          ),
        ),
      ]),
    )
    .execute();

export async function typesInUse(db: RecordsDb, project: Project): Promise<string[]> {
  const rows = await inProject(db, project)
    .selectFrom('entity_counts')
    .select('entity_type')
    .distinct()
    .where('total', '>', 0)
    .where('entity_type', '<>', TEMPLATE_ROW_TYPE)
    .execute();
  return rows.map((row) => row.entity_type).sort();
}

export async function entitiesAfter(
  db: RecordsDb,
  project: Project,
  types: readonly string[],
  after: EntityName | null,
  limit: number,
): Promise<EntityNode[]> {
  const found: EntityNode[] = [];
  for (const type of types) {
    if (found.length >= limit) break;
    if (after !== null && type < after.entity_type) continue;
    const from = after?.entity_type === type ? after.entity_id : '';
    const rows = await inProject(db, project)
      .selectFrom('entities')
      .select(['row_id', 'entity_type', 'entity_id', 'name', 'status'])
      .where('entity_type', '=', type)
      .where('entity_id', '>', from)
      .orderBy('entity_id')
      .limit(limit - found.length)
      .execute();
    found.push(...rows);
  }
  return found;
}

/** Those of the entities without references from others. */
export async function unusedAmong(
  db: RecordsDb,
  project: Project,
  nodes: readonly EntityNode[],
): Promise<EntityNode[]> {
  let left = [...nodes];
  for await (const group of bucketGroups(await bucketsOf(db, project))) {
    if (left.length === 0) break;
    const used = await usedWithin(
      db,
      group,
      left.map(({ row_id }) => row_id),
    );
    left = left.filter(({ row_id }) => !used.has(row_id));
  }
  return left;
}

async function usedWithin(
  db: Kysely<RecordTables>,
  buckets: readonly number[],
  rowIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('entities')
    .select('row_id')
    .where('row_id', 'in', rowIds)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('entity_references as edge')
          .select('edge.row_id')
          .where('edge.bucket', 'in', buckets)
          .whereRef('edge.to_id', '=', 'entities.entity_id')
          .whereRef('edge.row_id', '<>', 'entities.row_id')
          .where((inner) =>
            inner.or([
              inner('edge.to_type', 'is', null),
              inner('edge.to_type', '=', inner.ref('entities.entity_type')),
            ]),
          ),
      ),
    )
    .execute();
  return new Set(rows.map((row) => row.row_id));
}
