import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { type Route, route } from '../../kit/route.ts';
import type { Mirror } from '../../world/mirror/index.ts';
import type { Projects } from '../../world/projects/index.ts';
import type { Project } from '../../world/records/index.ts';
import { getWatcher, startWatcher, stopWatcher } from './watcher.contract.ts';

export interface WatcherRoutesOptions {
  projects: Projects;
  mirror: Mirror;
  active(): string;
}

export function watcherRoutes({ projects, mirror, active }: WatcherRoutesOptions): Route[] {
  const status = (project: Project) => ({
    project: project.projectId,
    ...mirror.watcherStatus(project),
    paused: mirror.isPaused(project),
    last_full_sync_at: mirror.status(project).last_full_sync_at,
  });
  const after = (work: (project: Project) => Promise<void>) => () =>
    projects.use(LOCAL_TENANT, active(), async (project) => {
      await work(project);
      return status(project);
    });
  return [
    route(
      getWatcher,
      after(async () => {}),
    ),
    route(startWatcher, after(mirror.resume)),
    route(stopWatcher, after(mirror.pause)),
  ];
}
