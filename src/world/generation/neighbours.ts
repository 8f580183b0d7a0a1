import type { ContextEntity, Neighbour } from '../../content/ai/index.ts';
import { resolveReference } from '../../content/references/index.ts';
import type { Edge, EntityNode, Project, RecordsDb } from '../records/index.ts';
import { documentsOf, edgesAround, type StoredDocument } from './generation.store.ts';

/** Neighbours whose texts are read; the others are only named. */
const MOST_READ = 24;
const MOST_NAMED = 200;

interface Near {
  node: EntityNode;
  relations: Neighbour['relations'][number][];
  nearness: number;
}

const OUT_FACTOR = 2;
const FIELD_NEARNESS = 2;
const LINK_NEARNESS = 1;
const nearnessOf = ({ kind }: Edge): number => (kind === 'field' ? FIELD_NEARNESS : LINK_NEARNESS);

export interface Surroundings {
  neighbours: Neighbour[];
  /** Those of the neighbours that were read, the nearest first. */
  entities: ContextEntity[];
}

/**
 * Targets of an entity, and entities that refer to it. Each reference brings two nearer: a field more than a link in a text, and the
 * entity's own more than those of others.
 */
export async function surroundingsOf(
  db: RecordsDb,
  project: Project,
  subject: EntityNode,
): Promise<Surroundings> {
  const { outgoing, incoming, ends } = await edgesAround(db, project, subject);
  const near = new Map<number, Near>();
  const add = (node: EntityNode, relation: Near['relations'][number], nearness: number): void => {
    if (node.row_id === subject.row_id) return;
    const known = near.get(node.row_id) ?? { node, relations: [], nearness: 0 };
    known.relations.push(relation);
    known.nearness += nearness;
    near.set(node.row_id, known);
  };
  const byId = Map.groupBy(ends, ({ entity_id }) => entity_id);
  for (const edge of outgoing) {
    const { to } = resolveReference(edge, byId);
    if (to) add(to, { direction: 'out', field: edge.field }, OUT_FACTOR * nearnessOf(edge));
  }
  for (const edge of incoming) add(edge, { direction: 'in', field: edge.field }, nearnessOf(edge));
  const ordered = [...near.values()].sort(byNearness).slice(0, MOST_NAMED);
  const rowIds = ordered.slice(0, MOST_READ).map(({ node }) => node.row_id);
  const documents = await documentsOf(db, project, rowIds);
  const read = new Map(documents.map((document) => [document.row_id, entityOf(document)]));
  return {
    neighbours: ordered.map(({ node, relations }) => neighbourOf(node, relations, read.get(node.row_id))),
    entities: rowIds.flatMap((rowId) => read.get(rowId) ?? []),
  };
}

const byNearness = (one: Near, other: Near): number =>
  Number(one.node.status === 'archived') - Number(other.node.status === 'archived') ||
  other.nearness - one.nearness ||
  one.node.row_id - other.node.row_id;

function neighbourOf(
  { entity_type, entity_id, name }: EntityNode,
  relations: Neighbour['relations'],
  content: ContextEntity | null = null,
): Neighbour {
  return { entity_type, entity_id, name, relations, content };
}

export function entityOf({ json }: Pick<StoredDocument, 'json'>): ContextEntity {
  const { entity_type, entity_id, name, status, fields, markdown_body } = JSON.parse(json) as ContextEntity;
  return { entity_type, entity_id, name, status, fields, markdown_body };
}
