import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { ready } from './replies.ts';
import { diffRevision, getRevision, listRevisions, restoreRevision } from './revisions.contract.ts';
import type { Revisions } from './revisions.service.ts';

export function revisionRoutes({
  projects,
  revisions,
}: {
  projects: Projects;
  revisions: Revisions;
}): Route[] {
  return [
    route(listRevisions, async (request) => {
      const project = await requestProject(projects, request);
      const { params, query } = request;
      const { limit = 50, offset = 0, grouped } = query;
      const list = grouped ? revisions.listSittings : revisions.list;
      return { ...(await list(project, params.type, params.id, limit, offset)), limit, offset };
    }),
    route(getRevision, async (request) => {
      const { type, id, version } = request.params;
      return revisions.get(await requestProject(projects, request), type, id, version);
    }),
    route(diffRevision, async (request) => {
      const { type, id, version } = request.params;
      return revisions.diff(
        await requestProject(projects, request),
        type,
        id,
        version,
        request.query.against,
      );
    }),
    route(restoreRevision, async (request) => {
      const project = await requestProject(projects, request);
      const { type, id, version } = request.params;
      const { actor, plan } = request;
      const ifMatch = request.headers['if-match'];
      return ready(project, await revisions.restore(project, type, id, version, { actor, plan, ifMatch }));
    }),
  ];
}
