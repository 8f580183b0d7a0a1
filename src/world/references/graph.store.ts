import { setImmediate as turn } from 'node:timers/promises';
import {
  bucketGroups,
  bucketsOf,
  type Edge,
  type EntityNode,
  edgesOf,
  type Project,
  type RecordsDb,
} from '../records/index.ts';

/** Entities per query. */
const NODES = 20;

async function* chunksOf(nodes: readonly EntityNode[]): AsyncGenerator<EntityNode[]> {
  for (let at = 0; at < nodes.length; at += NODES) {
    if (at > 0) await turn();
    yield nodes.slice(at, at + NODES);
  }
}

/** Edges that start from entities, up to the limit. */
export async function edgesFrom(db: RecordsDb, nodes: readonly EntityNode[], limit: number): Promise<Edge[]> {
  const found: Edge[] = [];
  for await (const chunk of chunksOf(nodes)) {
    const rowIds = chunk.map(({ row_id }) => row_id);
    const rows = await edgesOf(db)
      .where('edge.row_id', 'in', rowIds)
      .limit(limit - found.length)
      .execute();
    found.push(...rows);
    if (found.length >= limit) break;
  }
  return found;
}

export async function edgesInto(
  db: RecordsDb,
  project: Project,
  nodes: readonly EntityNode[],
  limit: number,
): Promise<Edge[]> {
  const found: Edge[] = [];
  const buckets = await bucketsOf(db, project);
  for await (const chunk of chunksOf(nodes)) {
    const ids = chunk.map(({ entity_id }) => entity_id);
    for await (const group of bucketGroups(buckets)) {
      const rows = await edgesOf(db)
        .where('edge.bucket', 'in', group)
        .where('edge.to_id', 'in', ids)
        .limit(limit - found.length)
        .execute();
      found.push(...rows);
      if (found.length >= limit) return found;
    }
  }
  return found;
}

/** The number of edges from and to each entity, by row id; an edge to itself counts twice. */
export async function degreesOf(
  db: RecordsDb,
  project: Project,
  nodes: readonly EntityNode[],
): Promise<Map<number, number>> {
  const degrees = new Map<number, number>();
  const add = (rowId: number, by: number) => void degrees.set(rowId, (degrees.get(rowId) ?? 0) + by);
  const buckets = await bucketsOf(db, project);
  for await (const chunk of chunksOf(nodes)) {
    for (const { row_id, total } of await countsFrom(db, chunk)) add(row_id, total);
    const byId = Map.groupBy(chunk, ({ entity_id }) => entity_id);
    for await (const group of bucketGroups(buckets)) {
      for (const { to_id, to_type, total } of await countsInto(db, group, [...byId.keys()])) {
        for (const node of byId.get(to_id) ?? []) {
          if (to_type === null || to_type === node.entity_type) add(node.row_id, total);
        }
      }
    }
  }
  return degrees;
}

const countsFrom = (db: RecordsDb, nodes: readonly EntityNode[]) =>
  db
    .selectFrom('entity_references')
    .select((eb) => ['row_id', eb.fn.countAll<number>().as('total')])
    .where(
      'row_id',
      'in',
      nodes.map(({ row_id }) => row_id),
    )
    .groupBy('row_id')
    .execute();

const countsInto = (db: RecordsDb, buckets: readonly number[], ids: readonly string[]) =>
  db
    .selectFrom('entity_references')
    .select((eb) => ['to_id', 'to_type', eb.fn.countAll<number>().as('total')])
    .where('bucket', 'in', buckets)
    .where('to_id', 'in', ids)
    .groupBy(['to_id', 'to_type'])
    .execute();
