import {
  type Edge,
  type EdgeKey,
  type EntityTarget,
  incomingEdges,
  type Project,
  type RecordsDb,
} from '../records/index.ts';

const PAGE = 500;

/** Yields the entities that refer to another, each once; untyped links to its id count. */
export async function* referrersOf(project: Project, target: EntityTarget): AsyncGenerator<Edge> {
  let after: EdgeKey | null = null;
  let lastRow: number | null = null;
  for (;;) {
    const page: EdgeKey | null = after;
    const edges: Edge[] = await project.database.read((db: RecordsDb) =>
      incomingEdges(db, project, target, { after: page, limit: PAGE }),
    );
    for (const edge of edges) {
      if (edge.row_id !== lastRow) yield edge;
      lastRow = edge.row_id;
    }
    after = edges.at(-1) ?? null;
    if (after === null || edges.length < PAGE) return;
  }
}
