import { idsToResolve, type Resolution, resolveReference } from '../../content/references/index.ts';
import { createPauses } from '../../kit/pauses.ts';
import { type Edge, type EntityNode, findByPlainId, type Project, type RecordsDb } from '../records/index.ts';

export type ResolvedEdge = Edge & Resolution<EntityNode>;

const IDS = 150;

/** Finds the present target of each edge. */
export async function resolveEdges(
  db: RecordsDb,
  project: Project,
  edges: readonly Edge[],
): Promise<ResolvedEdge[]> {
  const ids = idsToResolve(edges);
  const nodes: EntityNode[] = [];
  const pause = createPauses();
  for (let at = 0; at < ids.length; at += IDS) {
    await pause();
    nodes.push(...(await findByPlainId(db, project, ids.slice(at, at + IDS))));
  }
  const byId = Map.groupBy(nodes, (node) => node.entity_id);
  return edges.map((edge) => ({ ...edge, ...resolveReference(edge, byId) }));
}

export const summaryOf = ({ entity_type, entity_id, name, status }: Omit<EntityNode, 'row_id'>) => ({
  entity_type,
  entity_id,
  name,
  status,
});

/** An edge in the form of replies. */
export const presentEdge = (edge: ResolvedEdge) => ({
  field: edge.field,
  kind: edge.kind,
  from: summaryOf(edge),
  to_type: edge.to_type,
  to_id: edge.to_id,
  state: edge.state,
  to: edge.to && summaryOf(edge.to),
  candidates: edge.candidates.slice(0, 20).map(summaryOf),
});
