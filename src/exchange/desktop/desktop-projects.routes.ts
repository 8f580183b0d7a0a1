import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { type Mirror, succeeded } from '../../world/mirror/index.ts';
import type { Projects } from '../../world/projects/index.ts';
import {
  activateDesktopProject,
  addDesktopProject,
  listDesktopProjects,
  removeDesktopProject,
  scanDesktopProject,
} from './desktop-projects.contract.ts';
import type { DesktopProjects } from './desktop-projects.service.ts';

export interface DesktopProjectRoutesOptions {
  desktopProjects: DesktopProjects;
  projects: Projects;
  mirror: Mirror;
}

export const desktopProjectRoutes = ({
  desktopProjects,
  projects,
  mirror,
}: DesktopProjectRoutesOptions): Route[] => [
  route(listDesktopProjects, () => desktopProjects.list()),
  route(addDesktopProject, async ({ body }) => {
    const { project, isNew } = await desktopProjects.add(body);
    return new Reply(project, { status: isNew ? 201 : 200 });
  }),
  route(removeDesktopProject, async ({ params: { name } }) => {
    await desktopProjects.remove(name);
    const message = `'${name}' is no longer a project here; its folder is unchanged`;
    return { message, active: desktopProjects.active() };
  }),
  route(activateDesktopProject, ({ params }) => desktopProjects.activate(params.name)),
  route(scanDesktopProject, async ({ params, body }) => {
    await desktopProjects.require(params.name);
    return projects.use(LOCAL_TENANT, params.name, async (project) =>
      succeeded(await mirror.sync(project, { kind: 'full' }, { force: body?.force })),
    );
  }),
];
