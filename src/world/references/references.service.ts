import { setImmediate as turn } from 'node:timers/promises';
import { linesOfReferences, type ReferenceState } from '../../content/references/index.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import {
  countIncoming,
  countOutgoing,
  type Edge,
  type EdgeKey,
  type EntityName,
  type EntityNode,
  findEntityRow,
  incomingEdges,
  missingEntity,
  outgoingEdges,
  type Project,
  type RecordsDb,
  storedFileText,
} from '../records/index.ts';
import {
  doubtfulEdges,
  entitiesAfter,
  firstKey,
  keyAhead,
  typesInUse,
  unusedAmong,
} from './references.store.ts';
import { type ResolvedEdge, resolveEdges } from './resolve-edges.ts';

/** Edges and entities per step; other work gets a turn after each. */
const EDGES = 1_000;
const ENTITIES = 50;
/** Milliseconds after which a request returns an incomplete page with a cursor. */
const LONGEST_WAIT_MS = 2_000;

export type BrokenState = Exclude<ReferenceState, 'found'>;
type PlacedEdge = ResolvedEdge & { line: number | null };

export interface Page<Item, Key> {
  items: Item[];
  /** The start of the next page; null if there is none. */
  next: Key | null;
}

/** A caller's key must not lead into another project. */
function startOf(project: Project, after: EdgeKey | null): EdgeKey {
  const first = firstKey(project);
  return after !== null && after.row_id >= first.row_id ? after : first;
}

export type References = ReturnType<typeof createReferences>;

/** References between a project's entities. */
export function createReferences({ templates }: { templates: TemplateRegistry }) {
  /** One page of an entity's edges. 404 if it does not exist. */
  async function ofEntity(
    project: Project,
    name: EntityName,
    query: { direction: 'out' | 'in'; after: EdgeKey | null; limit: number },
  ): Promise<Page<ResolvedEdge, EdgeKey> & { total: number }> {
    const { direction, after, limit } = query;
    return project.database.read(async (db: RecordsDb) => {
      const row = await findEntityRow(db, project, name.entity_type, name.entity_id);
      if (row === undefined) throw missingEntity(name.entity_type, name.entity_id);
      const isOut = direction === 'out';
      const edges = isOut
        ? await outgoingEdges(db, row.row_id, { after: after?.position ?? -1, limit: limit + 1 })
        : await incomingEdges(db, project, row, { after, limit: limit + 1 });
      const items = edges.slice(0, limit);
      return {
        items: await resolveEdges(db, project, items),
        next: edges.length > limit ? (items.at(-1) ?? null) : null,
        total: isOut ? await countOutgoing(db, row.row_id) : await countIncoming(db, project, row),
      };
    });
  }

  /** One page of an entity's references that lead to no entity, or to more than one. 404 if it does not exist. */
  async function brokenOf(
    project: Project,
    name: EntityName,
    { state, after, limit }: { state: BrokenState; after: EdgeKey | null; limit: number },
  ): Promise<Page<PlacedEdge, EdgeKey> & { total: number }> {
    const { row_id, edges } = await project.database.read(async (db: RecordsDb) => {
      const row = await findEntityRow(db, project, name.entity_type, name.entity_id);
      if (row === undefined) throw missingEntity(name.entity_type, name.entity_id);
      return { row_id: row.row_id, edges: await countOutgoing(db, row.row_id) };
    });
    const broken: ResolvedEdge[] = [];
    const pause = createPauses();
    for (let position = -1; position < edges; position += EDGES) {
      const from = { row_id, position };
      const found = await resolvedWithin(project, from, { row_id, position: position + EDGES });
      broken.push(...found.filter((edge) => edge.state === state));
      await pause();
    }
    const rest = broken.filter(({ position }) => position > (after?.position ?? -1));
    const items = await withLines(project, rest.slice(0, limit));
    return { items, next: rest.length > limit ? (items.at(-1) ?? null) : null, total: broken.length };
  }

  const resolvedWithin = (project: Project, after: EdgeKey, upTo: EdgeKey) =>
    project.database.read(async (db: RecordsDb) =>
      resolveEdges(db, project, await doubtfulEdges(db, project, after, upTo)),
    );

  /** Edges to no entity, or to more than one, in the order of their rows. */
  async function broken(
    project: Project,
    query: { after: EdgeKey | null; limit: number },
  ): Promise<Page<PlacedEdge, EdgeKey>> {
    const deadline = performance.now() + LONGEST_WAIT_MS;
    const found: ResolvedEdge[] = [];
    let after = startOf(project, query.after);
    for (;;) {
      const window = await brokenWithin(project, after);
      found.push(...window.edges);
      if (found.length > query.limit) {
        const items = found.slice(0, query.limit);
        return { items: await withLines(project, items), next: items.at(-1) ?? null };
      }
      if (window.isEnd) return { items: await withLines(project, found), next: null };
      if (performance.now() > deadline) {
        return { items: await withLines(project, found), next: window.upTo };
      }
      after = window.upTo;
      await turn();
    }
  }

  const brokenWithin = (project: Project, after: EdgeKey) =>
    project.database.read(async (db: RecordsDb) => {
      const { isEnd, ...upTo } = await keyAhead(db, project, after, EDGES);
      const edges = await resolveEdges(db, project, await doubtfulEdges(db, project, after, upTo));
      return { isEnd, upTo, edges: edges.filter(({ state }) => state !== 'found') };
    });

  /** Adds the line of each edge in the file that it starts from; null if the file has changed since. */
  async function withLines<Item extends Edge>(
    project: Project,
    edges: readonly Item[],
  ): Promise<(Item & { line: number | null })[]> {
    const { types } = await templates.of(project);
    const lines = new Map<Item, number | null>();
    for (const [rowId, group] of Map.groupBy(edges, ({ row_id }) => row_id)) {
      const template = types.get(group[0]?.entity_type ?? '');
      const text = await project.database.read((db: RecordsDb) => storedFileText(db, rowId));
      if (template === undefined || text === undefined) continue;
      const found = linesOfReferences(template, text, group);
      for (const [index, edge] of group.entries()) lines.set(edge, found[index] ?? null);
      await turn();
    }
    return edges.map((edge) => ({ ...edge, line: lines.get(edge) ?? null }));
  }

  /** Entities without references from others, by type and id. */
  async function unused(
    project: Project,
    query: { types: readonly string[] | null; after: EntityName | null; limit: number },
  ): Promise<Page<EntityNode, EntityName>> {
    const deadline = performance.now() + LONGEST_WAIT_MS;
    const types = query.types ?? (await project.database.read((db: RecordsDb) => typesInUse(db, project)));
    const found: EntityNode[] = [];
    let { after } = query;
    for (;;) {
      const { nodes, free } = await project.database.read(async (db: RecordsDb) => {
        const nodes = await entitiesAfter(db, project, types, after, ENTITIES);
        return { nodes, free: await unusedAmong(db, project, nodes) };
      });
      found.push(...free);
      after = nodes.at(-1) ?? null;
      if (found.length > query.limit) {
        const items = found.slice(0, query.limit);
        return { items, next: items.at(-1) ?? null };
      }
      if (nodes.length < ENTITIES) return { items: found, next: null };
      if (performance.now() > deadline) return { items: found, next: after };
      await turn();
    }
  }

  return { ofEntity, brokenOf, broken, unused, withLines };
}
