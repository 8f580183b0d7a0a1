import { setImmediate as turn } from 'node:timers/promises';
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { EntityRow, RecordTables } from './records.tables.ts';
import { TEMPLATE_ROW_TYPE } from './records.tables.ts';
import type { ReferenceRow } from './references.store.ts';
import { bucketOf, type Project, rowIdOf } from './scope.ts';

/** An entity by its type and id. */
export type EntityName = Pick<EntityRow, 'entity_type' | 'entity_id'>;

/** An entity as others show it. */
export type EntityNode = EntityName & Pick<EntityRow, 'row_id' | 'name' | 'status'>;

/** Where a page of edges ends. */
export type EdgeKey = Pick<ReferenceRow, 'row_id' | 'position'>;

/** A stored edge with the entity that it starts from. */
export type Edge = Omit<ReferenceRow, 'bucket'> & Omit<EntityNode, 'row_id'> & Pick<EntityRow, 'path'>;

/** An entity as others refer to it; its own edges do not count. */
export type EntityTarget = EntityName & Pick<EntityRow, 'row_id'>;

type EdgeTables = RecordTables & { edge: ReferenceRow };

/** So many buckets are asked at a time. */
const BUCKETS = 8;

/** Edges with where they start from, in the order of their keys. Row ids and buckets are those of one project. */
export const edgesOf = (db: Kysely<RecordTables>) =>
  db
    .selectFrom('entity_references as edge')
    .innerJoin('entities', 'entities.row_id', 'edge.row_id')
    .select([
      'edge.row_id',
      'edge.position',
      'edge.field',
      'edge.kind',
      'edge.to_type',
      'edge.to_id',
      'entities.entity_type',
      'entities.entity_id',
      'entities.name',
      'entities.status',
      'entities.path',
    ])
    .orderBy('edge.row_id')
    .orderBy('edge.position');

/** What an entity refers to, after a position. */
export const outgoingEdges = (
  db: Kysely<RecordTables>,
  rowId: number,
  page: { after: number; limit: number },
): Promise<Edge[]> =>
  edgesOf(db)
    .where('edge.row_id', '=', rowId)
    .where('edge.position', '>', page.after)
    .limit(page.limit)
    .execute();

export async function countOutgoing(db: Kysely<RecordTables>, rowId: number): Promise<number> {
  const row = await db
    .selectFrom('entity_references')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('row_id', '=', rowId)
    .executeTakeFirstOrThrow();
  return row.total;
}

/** The first or the last row of a project that has edges. */
async function outermost(
  db: Kysely<RecordTables>,
  project: Project,
  order: 'asc' | 'desc',
): Promise<number | undefined> {
  const row = await db
    .selectFrom('entity_references')
    .select('row_id')
    .where('row_id', '>=', rowIdOf(project.number, 0))
    .where('row_id', '<', rowIdOf(project.number + 1, 0))
    .orderBy('row_id', order)
    .limit(1)
    .executeTakeFirst();
  return row?.row_id;
}

/** All buckets that hold edges of a project, in their order. */
export async function bucketsOf(db: Kysely<RecordTables>, project: Project): Promise<number[]> {
  const [first, last] = [await outermost(db, project, 'asc'), await outermost(db, project, 'desc')];
  if (first === undefined || last === undefined) return [];
  const lowest = bucketOf(first);
  return Array.from({ length: bucketOf(last) - lowest + 1 }, (_, index) => lowest + index);
}

/** Buckets, so many at a time that a query on them is short; others have their turn in between. */
export async function* bucketGroups(buckets: readonly number[]): AsyncGenerator<number[]> {
  for (let at = 0; at < buckets.length; at += BUCKETS) {
    if (at > 0) await turn();
    yield buckets.slice(at, at + BUCKETS);
  }
}

/** Edges after a key, in the order of their keys. */
export const isAfter = (after: EdgeKey | null) => (eb: ExpressionBuilder<EdgeTables, 'edge'>) =>
  eb(eb.refTuple('edge.row_id', 'edge.position'), '>', eb.tuple(after?.row_id ?? 0, after?.position ?? 0));

const leadsTo = (target: EntityTarget) => (eb: ExpressionBuilder<EdgeTables, 'edge'>) =>
  eb.and([
    eb('edge.to_id', '=', target.entity_id),
    eb.or([eb('edge.to_type', '=', target.entity_type), eb('edge.to_type', 'is', null)]),
    eb('edge.row_id', '<>', target.row_id),
  ]);

/**
 * Edges to an entity from others, in the order of their keys after `after`; links that name its id without a type are
 * among them.
 */
export async function incomingEdges(
  db: Kysely<RecordTables>,
  project: Project,
  target: EntityTarget,
  { after, limit }: { after: EdgeKey | null; limit: number },
): Promise<Edge[]> {
  const first = bucketOf(after?.row_id ?? 0);
  const buckets = (await bucketsOf(db, project)).filter((bucket) => bucket >= first);
  const found: Edge[] = [];
  for await (const group of bucketGroups(buckets)) {
    const rows = await edgesOf(db)
      .where('edge.bucket', 'in', group)
      .where(leadsTo(target))
      .where(isAfter(after))
      .limit(limit - found.length)
      .execute();
    found.push(...rows);
    if (found.length >= limit) break;
  }
  return found;
}

/** How many edges lead to an entity from others, untyped links to its id among them. */
export async function countIncoming(
  db: Kysely<RecordTables>,
  project: Project,
  target: EntityTarget,
): Promise<number> {
  let total = 0;
  for await (const group of bucketGroups(await bucketsOf(db, project))) {
    const row = await db
      .selectFrom('entity_references as edge')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('edge.bucket', 'in', group)
      .where(leadsTo(target))
      .executeTakeFirstOrThrow();
    total += row.total;
  }
  return total;
}

/** The live entities that have one of these ids, whatever their type. */
export const findByPlainId = (
  db: Kysely<RecordTables>,
  project: Project,
  entityIds: readonly string[],
): Promise<EntityNode[]> =>
  entityIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('entities')
        .select(['row_id', 'entity_type', 'entity_id', 'name', 'status'])
        .where('tenant_id', '=', project.tenantId)
        .where('project_id', '=', project.projectId)
        .where('entity_id', 'in', entityIds)
        .where('entity_type', '<>', TEMPLATE_ROW_TYPE)
        .execute();
