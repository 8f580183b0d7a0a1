import { type Route, route } from '../../../kit/route.ts';
import { type Changesets, orAccepted } from '../../changesets/index.ts';
import { type Projects, requestProject } from '../../projects/index.ts';
import { acceptChangeSet, getChangeSet, listChangeSets, rejectChangeSet } from './change-sets.contract.ts';
import type { ChangeSets } from './change-sets.service.ts';

export const changeSetRoutes = (
  projects: Projects,
  changesets: Changesets,
  changeSets: ChangeSets,
): Route[] => [
  route(listChangeSets, async (request) => {
    const { limit = 50, offset = 0 } = request.query;
    const page = await changeSets.list(await requestProject(projects, request), { limit, offset });
    return { ...page, limit, offset };
  }),
  route(getChangeSet, async (request) => {
    const { limit = 20, offset = 0 } = request.query;
    const project = await requestProject(projects, request);
    const found = await changeSets.get(project, request.params.id, { limit, offset });
    return { ...found, limit, offset };
  }),
  route(acceptChangeSet, async (request) => {
    const { actor, plan, body, params } = request;
    const project = await requestProject(projects, request);
    return orAccepted(changesets, project, request, (onBegin) =>
      changeSets.accept(project, { actor, plan }, params.id, { ...body, onBegin }),
    );
  }),
  route(rejectChangeSet, async (request) => {
    const project = await requestProject(projects, request);
    return changeSets.reject(project, request.actor, request.params.id);
  }),
];
