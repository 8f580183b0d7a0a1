import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { Entities } from '../entities/index.ts';
import { aiCallerOf } from '../models/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { chooseEmbeddings, embeddingStatus, saidBefore, similarEntities } from './embeddings.contract.ts';
import type { Embeddings } from './embeddings.service.ts';
import { typesIn } from './types-in.ts';

interface Options {
  projects: Projects;
  entities: Entities;
  embeddings: Embeddings;
}

const DEFAULT_LIMIT = 10;

export function embeddingRoutes({ projects, entities, embeddings }: Options): Route[] {
  async function statusReply(project: Project, request: RouteRequest) {
    const { index, progress, passages, providers } = await embeddings.status(project, aiCallerOf(request));
    return {
      use: index?.choice ?? ('local' as const),
      provider: index?.provider ?? null,
      model: index?.model ?? null,
      dimensions: index?.dimensions ?? null,
      index: progress,
      passages,
      chosen_by: index?.chosen_by ?? null,
      providers: providers.map(({ name, scope, embeddingModel, costsCredits }) => ({
        name,
        scope,
        model: embeddingModel ?? '',
        costs_credits: costsCredits,
      })),
    };
  }

  return [
    route(similarEntities, async (request) => {
      const project = await requestProject(projects, request);
      await embeddings.requireAllowed(project, request);
      const { type, id } = request.params;
      const { types, limit = DEFAULT_LIMIT } = request.query;
      const row = await entities.findRow(project, type, id);
      const options = {
        caller: aiCallerOf(request),
        limit,
        types: typesIn(types),
        signal: request.callerGone(),
      };
      const { items, index } = await embeddings.similar(project, row, options);
      return { similar: items.map(shown), index };
    }),
    route(saidBefore, async (request) => {
      const project = await requestProject(projects, { ...request, changes: false });
      await embeddings.requireAllowed(project, request);
      const { text, exclude, limit = DEFAULT_LIMIT } = request.body;
      const own = exclude && (await entities.findRow(project, exclude.entity_type, exclude.entity_id));
      const options = {
        caller: aiCallerOf(request),
        limit,
        exclude: own?.row_id ?? null,
        signal: request.callerGone(),
      };
      const { items, index } = await embeddings.saidBefore(project, text, options);
      return { passages: items.map(shown), index };
    }),
    route(embeddingStatus, async (request) => statusReply(await requestProject(projects, request), request)),
    route(chooseEmbeddings, async (request) => {
      const project = await requestProject(projects, request);
      await embeddings.choose(project, request.body, aiCallerOf(request));
      return statusReply(project, request);
    }),
  ];
}

const shown = <Item extends { row_id: number }>({ row_id: _, ...rest }: Item): Omit<Item, 'row_id'> => rest;
