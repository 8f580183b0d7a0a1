import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import type { Project } from '../../world/records/index.ts';
import type { CloudSync } from '../cloud/index.ts';
import {
  forcePull,
  forcePush,
  getDesktopSync,
  getSyncQueue,
  listSyncConflicts,
  resolveSyncConflict,
  startDesktopSync,
  stopDesktopSync,
  syncNow,
} from './desktop-sync.contract.ts';

const IN_A_REPLY = 100;

export function desktopSyncRoutes({ projects, sync }: { projects: Projects; sync: CloudSync }): Route[] {
  const projectOf = (request: Pick<RouteRequest, 'tenantId' | 'projectId' | 'principal' | 'onEnd'>) =>
    requestProject(projects, { ...request, changes: false });

  /** Throws if the installation is not signed in. */
  async function linkedProject(request: Parameters<typeof projectOf>[0]): Promise<Project> {
    await sync.links.require(request.tenantId);
    return projectOf(request);
  }

  return [
    route(getDesktopSync, async (request) => sync.status(await projectOf(request))),
    route(getSyncQueue, async (request) =>
      sync.queue(await projectOf(request), request.query.limit ?? IN_A_REPLY),
    ),
    route(startDesktopSync, async (request) => {
      const project = await linkedProject(request);
      await sync.start(project);
      return sync.status(project);
    }),
    route(stopDesktopSync, async (request) => {
      const project = await projectOf(request);
      if (await sync.links.current(request.tenantId)) await sync.stop(project);
      return sync.status(project);
    }),
    route(syncNow, async (request) => sync.syncNow(await linkedProject(request))),
    route(forcePush, async (request) => sync.pushAll(await linkedProject(request), { force: true })),
    route(forcePull, async (request) => sync.pullAll(await linkedProject(request), { force: true })),
    route(listSyncConflicts, async (request) => {
      const conflicts = await sync.conflicts(await projectOf(request));
      return { conflicts, total: conflicts.length };
    }),
    route(resolveSyncConflict, async (request) => {
      const { params, body, actor, plan } = request;
      return sync.resolve(await projectOf(request), params.id, body, { actor, plan });
    }),
  ];
}
