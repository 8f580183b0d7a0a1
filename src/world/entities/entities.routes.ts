import { invalid, invalidField } from '../../kit/errors.ts';
import { headerNames } from '../../kit/http/etag.ts';
import { ReadyJson, Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { missingEntity } from '../records/index.ts';
import type { UpdateFromBase } from './based-edit.ts';
import { createEntity, deleteEntity, getEntity, listEntities, updateEntity } from './entities.contract.ts';
import type { Entities } from './entities.service.ts';
import { findDocument, listPage } from './entities.store.ts';
import { etagIn } from './etag.ts';
import { filtersOf } from './filters.ts';
import { requireKnown } from './known-paths.ts';
import { columnsOf } from './list-columns.ts';
import type { RecycleBin } from './recycle.service.ts';
import { readyMerged, readySaved } from './replies.ts';

/** Whole entities may be long. */
const MOST_ENTITIES = 200;

function requireRoom(limit: number): void {
  if (limit > MOST_ENTITIES)
    throw invalid(`query parameter 'limit' must be at most ${MOST_ENTITIES} without columns`, {
      code: 'invalid_request',
      errors: [{ field: 'limit', message: `must be at most ${MOST_ENTITIES} without columns` }],
    });
}

async function list(entities: Entities, project: Project, request: RouteRequest<typeof listEntities>) {
  const { params, query, rawQuery } = request;
  const template = await entities.templateOf(project, params.type);
  const { offset = 0, limit = 50, status, sort_order: sortOrder = 'desc' } = query;
  // A cleared search box sends an empty text.
  const search = query.search?.trim() || undefined;
  const sortBy = query.sort_by ?? (search === undefined ? 'updated_at' : 'relevance');
  if (sortBy === 'relevance' && search === undefined) {
    throw invalid('sort_by=relevance needs a search', {
      errors: [{ field: 'sort_by', message: 'needs search' }],
    });
  }
  const filters = filtersOf(rawQuery);
  await requireKnown(project, template, filters);
  if (query.columns === undefined) requireRoom(limit);
  const columns = query.columns === undefined ? undefined : await columnsOf(project, template, query.columns);
  const page = await listPage(project, {
    entityType: params.type,
    offset,
    limit,
    search,
    status,
    sortBy,
    sortOrder,
    filters,
    columns,
  });
  const rows = page.rows.join(',');
  const parts = columns ? `"entities":[],"rows":[${rows}]` : `"entities":[${rows}]`;
  return new ReadyJson(`{"total":${page.total},"offset":${offset},"limit":${limit},${parts}}`);
}

async function get(projects: Projects, request: RouteRequest<typeof getEntity>) {
  const { type, id } = request.params;
  const project = await requestProject(projects, request);
  const json = await findDocument(project, type, id);
  if (json === undefined) throw missingEntity(type, id);
  const etag = etagIn(json);
  if (headerNames(request.headers['if-none-match'], etag))
    return new Reply('', { status: 304, headers: { etag } });
  return new Reply(new ReadyJson(json), { headers: { etag } });
}

export function entityRoutes(options: {
  projects: Projects;
  entities: Entities;
  recycleBin: RecycleBin;
  updateFromBase: UpdateFromBase;
}): Route[] {
  const { projects, entities, recycleBin, updateFromBase } = options;
  return [
    route(listEntities, async (request) => list(entities, await requestProject(projects, request), request)),
    route(getEntity, (request) => get(projects, request)),
    route(createEntity, async (request) => {
      const project = await requestProject(projects, request);
      const { type } = request.params;
      const saved = await entities.create(project, type, request.body, request);
      const warnings = await entities.warningsOf(project, type, request.body);
      return readySaved(project, saved, { status: 201, warnings });
    }),
    route(updateEntity, async (request) => {
      const project = await requestProject(projects, request);
      const { type, id } = request.params;
      const ifMatch = request.headers['if-match'];
      const author = { actor: request.actor, plan: request.plan, via: request.query.via, ifMatch };
      const { base_version, on_conflict, ...input } = request.body;
      if (base_version === undefined) {
        if (on_conflict !== undefined)
          throw invalidField('on_conflict', 'needs base_version, the version that the change was made from');
        const saved = await entities.update(project, type, id, input, author);
        return readySaved(project, saved, { warnings: await entities.warningsOf(project, type, input) });
      }
      const based = { ...input, base_version, on_conflict: on_conflict ?? 'keep' };
      const { row, merged } = await updateFromBase(project, type, id, based, author);
      return readyMerged(project, row, merged, await entities.warningsOf(project, type, input));
    }),
    route(deleteEntity, async (request) => {
      const project = await requestProject(projects, request);
      const { type, id } = request.params;
      const ifMatch = request.headers['if-match'];
      const { item, referrers } = await recycleBin.remove(project, type, id, {
        actor: request.actor,
        ifMatch,
      });
      return {
        message: `${type} '${id}' is in the recycle bin`,
        item_id: item.item_id,
        entity_type: type,
        entity_id: id,
        referrers: {
          total: referrers.total,
          references: referrers.references.map(({ entity_type, entity_id, name, status, field, kind }) => ({
            entity_type,
            entity_id,
            name,
            status,
            field,
            kind,
          })),
        },
      };
    }),
  ];
}
