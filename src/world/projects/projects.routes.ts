import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { ListedProject, ProjectList } from './project-list.service.ts';
import { createProject, listProjects, renameProject } from './projects.contract.ts';

type Caller = Pick<RouteRequest, 'principal'>;

const shownTo = ({ principal }: Caller, project: ListedProject) => ({
  ...project,
  role: principal?.role ?? 'viewer',
});

export const projectRoutes = (list: ProjectList): Route[] => [
  route(listProjects, async (request) => {
    const { offset = 0, limit = 50 } = request.query;
    const { total, projects } = await list.page(request.tenantId, { offset, limit });
    return { total, offset, limit, projects: projects.map((project) => shownTo(request, project)) };
  }),
  route(createProject, async (request) => {
    const { name, ...body } = request.body;
    return shownTo(request, await list.create(request.tenantId, { ...body, name: name.trim() }));
  }),
  route(renameProject, async (request) => {
    const { tenantId, params, body } = request;
    return shownTo(request, await list.rename(tenantId, params.id, body.name.trim()));
  }),
];
