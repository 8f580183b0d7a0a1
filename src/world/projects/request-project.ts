import { roleAllows } from '../../access/plans.ts';
import type { RouteRequest } from '../../kit/route.ts';
import type { Project } from '../records/index.ts';
import type { Beginning, Projects } from './projects.service.ts';

export type ProjectRequest = Pick<RouteRequest, 'tenantId' | 'projectId' | 'changes' | 'principal' | 'onEnd'>;

/** The project of a request, open until the request ends. Only an editor's first change creates a missing one. */
export async function requestProject(
  projects: Projects,
  request: ProjectRequest,
  beginning: Beginning = 'starter',
): Promise<Project> {
  const { project, release } = await projects.borrow(request.tenantId, request.projectId, {
    beginning,
    create: request.changes && request.principal !== null && roleAllows(request.principal.role, 'editor'),
  });
  request.onEnd(release);
  return project;
}
