import { roleAllows } from '../../content/plans.ts';
import type { Principal } from '../../kit/principal.ts';
import type { Project } from '../records/scope.ts';
import type { Projects } from './projects.service.ts';

/** The project that a request is about. An editor's first change makes it; for everybody and everything else it must be there. */
export const requestProject = (
  projects: Projects,
  request: { tenantId: string; projectId: string; changes: boolean; principal: Principal | null },
): Promise<Project> =>
  projects.open(request.tenantId, request.projectId, {
    create: request.changes && request.principal !== null && roleAllows(request.principal.role, 'editor'),
  });
