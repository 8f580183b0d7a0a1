import { invalidField } from '../../kit/errors.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { Entities } from '../entities/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { edgeCursor, nameOf, readEdgeCursor, readName } from './cursor.ts';
import { graphAround, graphPage } from './graph.service.ts';
import { getGraph, listBrokenReferences, listReferences, listUnusedEntities } from './references.contract.ts';
import type { References } from './references.service.ts';
import { presentEdge, type ResolvedEdge, summaryOf } from './resolve-edges.ts';

const presentBroken = (edge: ResolvedEdge & { line: number | null }) => ({
  ...presentEdge(edge),
  file: edge.path,
  line: edge.line,
});

export function referenceRoutes(options: {
  projects: Projects;
  entities: Entities;
  references: References;
}): Route[] {
  const { projects, entities, references } = options;

  /** The types of a comma-separated list in alphabetical order. 404 for an unknown one. */
  async function typesOf(project: Project, list: string | undefined): Promise<string[] | null> {
    if (list === undefined) return null;
    const types = new Set(list.split(',').map((type) => type.trim()));
    types.delete('');
    for (const type of types) await entities.templateOf(project, type);
    return [...types].sort();
  }

  async function graph(project: Project, { query }: RouteRequest<typeof getGraph>) {
    const { depth = 1, limit = 200 } = query;
    const types = await typesOf(project, query.types);
    const centre = readName(query.around, 'around');
    const { next, ...found } = centre
      ? await graphAround(project, centre, { types, limit, depth })
      : await graphPage(project, { types, limit, after: readName(query.cursor, 'cursor') });
    return { ...found, next_cursor: next && nameOf(next) };
  }

  return [
    route(listReferences, async (request) => {
      const project = await requestProject(projects, request);
      const name = { entity_type: request.params.type, entity_id: request.params.id };
      const { direction = 'out', state, limit = 50, cursor } = request.query;
      const after = readEdgeCursor(cursor);
      if (state !== undefined) {
        if (direction === 'in')
          throw invalidField('state', 'is of what the entity refers to: leave out `direction=in`');
        const { items, next, total } = await references.brokenOf(project, name, { state, after, limit });
        const broken = items.map(presentBroken);
        return { ...name, direction, total, references: broken, next_cursor: next && edgeCursor(next) };
      }
      const { items, next, total } = await references.ofEntity(project, name, { direction, after, limit });
      return {
        ...name,
        direction,
        total,
        references: items.map(presentEdge),
        next_cursor: next && edgeCursor(next),
      };
    }),
    route(listBrokenReferences, async (request) => {
      const project = await requestProject(projects, request);
      const { limit = 50, cursor } = request.query;
      const { items, next } = await references.broken(project, { after: readEdgeCursor(cursor), limit });
      return {
        references: items.map(presentBroken),
        next_cursor: next && edgeCursor(next),
      };
    }),
    route(listUnusedEntities, async (request) => {
      const project = await requestProject(projects, request);
      const { limit = 50, cursor } = request.query;
      const types = await typesOf(project, request.query.types);
      const after = readName(cursor, 'cursor');
      const { items, next } = await references.unused(project, { types, after, limit });
      return { entities: items.map(summaryOf), next_cursor: next && nameOf(next) };
    }),
    route(getGraph, async (request) => graph(await requestProject(projects, request), request)),
  ];
}
