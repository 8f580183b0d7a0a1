import {
  type Edge,
  type EntityName,
  type EntityNode,
  findEntityRow,
  missingEntity,
  type Project,
  type RecordsDb,
} from '../records/index.ts';
import { nameOf } from './cursor.ts';
import { degreesOf, edgesFrom, edgesInto } from './graph.store.ts';
import { entitiesAfter, typesInUse } from './references.store.ts';
import { resolveEdges } from './resolve-edges.ts';

/** Edges per reply, and edges read for one step away from the centre. */
const MOST_EDGES = 5_000;

export interface GraphQuery {
  types: readonly string[] | null;
  limit: number;
}

export interface Graph {
  nodes: (Omit<EntityNode, 'row_id'> & { degree: number })[];
  edges: { from: string; to: string; field: string; kind: Edge['kind'] }[];
  /** True if there is more than was sent. */
  truncated: boolean;
  /** The last node of a page; null on the last page. */
  next: EntityName | null;
}

interface Arc {
  from: EntityNode;
  to: EntityNode;
  field: string;
  kind: Edge['kind'];
}

/** Keeps the edges that lead to an entity. */
async function arcsOf(db: RecordsDb, project: Project, edges: readonly Edge[]): Promise<Arc[]> {
  const resolved = await resolveEdges(db, project, edges);
  return resolved.flatMap(({ to, ...edge }) => {
    const { row_id, entity_type, entity_id, name, status, field, kind } = edge;
    return to ? [{ from: { row_id, entity_type, entity_id, name, status }, to, field, kind }] : [];
  });
}

async function present(
  db: RecordsDb,
  project: Project,
  nodes: readonly EntityNode[],
  arcs: readonly Arc[],
): Promise<Pick<Graph, 'nodes' | 'edges'>> {
  const degrees = await degreesOf(db, project, nodes);
  return {
    nodes: nodes.map(({ row_id, ...node }) => ({ ...node, degree: degrees.get(row_id) ?? 0 })),
    edges: arcs.map(({ from, to, field, kind }) => ({ from: nameOf(from), to: nameOf(to), field, kind })),
  };
}

/** A page of a project's entities by type and id, with the edges that start from them. */
export const graphPage = (
  project: Project,
  { types, limit, after }: GraphQuery & { after: EntityName | null },
): Promise<Graph> =>
  project.database.read(async (db: RecordsDb) => {
    const all = types ?? (await typesInUse(db, project));
    const found = await entitiesAfter(db, project, all, after, limit + 1);
    const nodes = found.slice(0, limit);
    const edges = await edgesFrom(db, nodes, MOST_EDGES + 1);
    const arcs = await arcsOf(db, project, edges.slice(0, MOST_EDGES));
    const wanted = arcs.filter(({ to }) => all.includes(to.entity_type));
    const next = found.length > limit ? (nodes.at(-1) ?? null) : null;
    return {
      ...(await present(db, project, nodes, wanted)),
      truncated: next !== null || edges.length > MOST_EDGES,
      next,
    };
  });

/** The entities within a number of edges from one, nearest first, and all edges among them. 404 if it does not exist. */
export const graphAround = (
  project: Project,
  centre: EntityName,
  { types, limit, depth }: GraphQuery & { depth: number },
): Promise<Graph> =>
  project.database.read(async (db: RecordsDb) => {
    const row = await findEntityRow(db, project, centre.entity_type, centre.entity_id);
    if (row === undefined) throw missingEntity(centre.entity_type, centre.entity_id);
    const { row_id, entity_type, entity_id, name, status } = row;
    const nodes = new Map<number, EntityNode>([[row_id, { row_id, entity_type, entity_id, name, status }]]);
    const isWanted = (node: EntityNode) => types === null || types.includes(node.entity_type);
    let truncated = false;
    let frontier = [...nodes.values()];
    for (let step = 0; step < depth && frontier.length > 0; step += 1) {
      const neighbours = await neighboursOf(db, project, frontier);
      const fresh = neighbours.nodes.filter((node) => !nodes.has(node.row_id) && isWanted(node));
      truncated ||= neighbours.truncated || nodes.size + fresh.length > limit;
      frontier = fresh.slice(0, Math.max(0, limit - nodes.size));
      for (const node of frontier) nodes.set(node.row_id, node);
    }
    const edges = await edgesFrom(db, [...nodes.values()], MOST_EDGES + 1);
    const arcs = await arcsOf(db, project, edges.slice(0, MOST_EDGES));
    const among = arcs.filter(({ to }) => nodes.has(to.row_id));
    return {
      ...(await present(db, project, [...nodes.values()], among)),
      truncated: truncated || edges.length > MOST_EDGES,
      next: null,
    };
  });

async function neighboursOf(
  db: RecordsDb,
  project: Project,
  from: readonly EntityNode[],
): Promise<{ nodes: EntityNode[]; truncated: boolean }> {
  const outgoing = await edgesFrom(db, from, MOST_EDGES);
  const incoming = await edgesInto(db, project, from, MOST_EDGES);
  const here = new Set(from.map(({ row_id }) => row_id));
  const leading = await arcsOf(db, project, incoming);
  const found = [
    ...(await arcsOf(db, project, outgoing)).map(({ to }) => to),
    ...leading.filter(({ to }) => here.has(to.row_id)).map((arc) => arc.from),
  ];
  return {
    nodes: [...new Map(found.map((node) => [node.row_id, node])).values()],
    truncated: outgoing.length === MOST_EDGES || incoming.length === MOST_EDGES,
  };
}
