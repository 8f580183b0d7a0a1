import { invalidField } from '../../kit/errors.ts';
import { ReadyJson, type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Embeddings, typesIn } from '../embeddings/index.ts';
import { aiCallerOf } from '../models/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { BriefSearch } from './brief.service.ts';
import { searchAll } from './search.contract.ts';
import type { Search, SearchReply } from './search.service.ts';

interface Options {
  projects: Projects;
  search: Search;
  brief: BriefSearch;
  embeddings: Embeddings;
}

const DEFAULT_LIMIT = 50;

function jsonOf({ total, groups, index }: SearchReply): ReadyJson {
  const texts = groups.map(
    (group) =>
      `{"entity_type":${JSON.stringify(group.entityType)},"total":${group.total},"entities":[${group.rows.join(',')}]}`,
  );
  const more = index ? `,"index":${JSON.stringify(index)}` : '';
  return new ReadyJson(`{"total":${total},"groups":[${texts.join(',')}]${more}}`);
}

export function searchRoutes({ projects, search, brief, embeddings }: Options): Route[] {
  async function find(request: RouteRequest<typeof searchAll>): Promise<SearchReply> {
    const project = await requestProject(projects, request);
    const { q, types, mode = 'keyword', limit = DEFAULT_LIMIT } = request.query;
    const query = { q, types: typesIn(types), limit };
    if (mode === 'keyword') return search.byWords(project, query);
    await embeddings.requireAllowed(project, request);
    const by = { caller: aiCallerOf(request), signal: request.callerGone() };
    return mode === 'semantic' ? search.byMeaning(project, query, by) : search.byBoth(project, query, by);
  }

  async function findBrief(request: RouteRequest<typeof searchAll>) {
    const { q, types, mode = 'keyword', limit = DEFAULT_LIMIT } = request.query;
    if (mode !== 'keyword') throw invalidField('view', 'brief is for mode=keyword');
    const project = await requestProject(projects, request);
    return { groups: [], ...(await brief(project, { q, types: typesIn(types), limit })) };
  }

  return [
    route(searchAll, async (request) =>
      request.query.view === 'brief' ? findBrief(request) : jsonOf(await find(request)),
    ),
  ];
}
