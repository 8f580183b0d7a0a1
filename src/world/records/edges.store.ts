import { setImmediate as turn } from 'node:timers/promises';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { inProject } from '../../platform/database/scoped.ts';
import type { EntityRow, RecordTables } from './records.tables.ts';
import { TEMPLATE_ROW_TYPE } from './records.tables.ts';
import type { ReferenceRow } from './references.store.ts';
import { bucketOf, type Project, rowIdOf } from './scope.ts';

export type EntityName = Pick<EntityRow, 'entity_type' | 'entity_id'>;

export type EntityNode = EntityName & Pick<EntityRow, 'row_id' | 'name' | 'status'>;

export type EdgeKey = Pick<ReferenceRow, 'row_id' | 'position'>;

export type Edge = Omit<ReferenceRow, 'bucket'> & Omit<EntityNode, 'row_id'> & Pick<EntityRow, 'path'>;

/** The target of references; its own edges do not count. */
export type EntityTarget = EntityName & Pick<EntityRow, 'row_id'>;

type EdgeTables = RecordTables & { edge: ReferenceRow };

const BUCKETS = 8;

/** Edges with their source entities, in the order of their keys. Row ids and buckets must be those of one project. */
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

export async function bucketsOf(db: Kysely<RecordTables>, project: Project): Promise<number[]> {
  const [first, last] = [await outermost(db, project, 'asc'), await outermost(db, project, 'desc')];
  if (first === undefined || last === undefined) return [];
  const lowest = bucketOf(first);
  return Array.from({ length: bucketOf(last) - lowest + 1 }, (_, index) => lowest + index);
}

/** Yields groups of buckets, small enough for a short query; other work gets a turn in between. */
export async function* bucketGroups(buckets: readonly number[]): AsyncGenerator<number[]> {
  for (let at = 0; at < buckets.length; at += BUCKETS) {
    if (at > 0) await turn();
    yield buckets.slice(at, at + BUCKETS);
  }
}

export const isAfter = (after: EdgeKey | null) => (eb: ExpressionBuilder<EdgeTables, 'edge'>) =>
  eb(eb.refTuple('edge.row_id', 'edge.position'), '>', eb.tuple(after?.row_id ?? 0, after?.position ?? 0));

const leadsTo = (target: EntityTarget) => (eb: ExpressionBuilder<EdgeTables, 'edge'>) =>
  eb.and([
    eb('edge.to_id', '=', target.entity_id),
    eb.or([eb('edge.to_type', '=', target.entity_type), eb('edge.to_type', 'is', null)]),
    eb('edge.row_id', '<>', target.row_id),
  ]);

/** Edges from other entities to an entity, after `after` in key order, including links that name its id without a type. */
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

/** Counts the edges from other entities to an entity, including untyped links to its id. */
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

export const findByPlainId = (db: Kysely<RecordTables>, project: Project, entityIds: readonly string[]) =>
  entityIds.length === 0
    ? Promise.resolve([])
    : inProject(db, project)
        .selectFrom('entities')
        .select(['row_id', 'entity_type', 'entity_id', 'name', 'status'])
        .where('entity_id', 'in', entityIds)
        .where('entity_type', '<>', TEMPLATE_ROW_TYPE)
        .execute();
