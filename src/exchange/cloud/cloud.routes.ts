import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import type { Project } from '../../world/records/index.ts';
import { getCloudSyncStatus, pullCloudChanges, pushLocalChanges } from './cloud.contract.ts';
import type { CloudSync } from './cloud-sync.ts';

export function cloudSyncRoutes({ projects, sync }: { projects: Projects; sync: CloudSync }): Route[] {
  async function linkedProject(request: Omit<RouteRequest, 'params' | 'query' | 'body'>): Promise<Project> {
    await sync.links.require(request.tenantId);
    return requestProject(projects, request);
  }
  return [
    route(pushLocalChanges, async (request) =>
      sync.pushAll(await linkedProject(request), { force: request.body?.force === true }),
    ),
    route(pullCloudChanges, async (request) => {
      const project = await linkedProject(request);
      return request.query.force === 'true' ? sync.pullAll(project, { force: true }) : sync.pull(project);
    }),
    route(getCloudSyncStatus, async (request) => sync.status(await linkedProject(request))),
  ];
}
