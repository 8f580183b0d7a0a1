import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { orAccepted } from './accepted.ts';
import { cancelOperation, getOperation, listOperations, undoOperation } from './changesets.contract.ts';
import type { Changesets } from './changesets.service.ts';

export function changesetRoutes({
  projects,
  changesets,
}: {
  projects: Projects;
  changesets: Changesets;
}): Route[] {
  return [
    route(listOperations, async (request) => {
      const { limit = 50, offset = 0 } = request.query;
      const page = await changesets.list(await requestProject(projects, request), limit, offset);
      return { ...page, limit, offset };
    }),
    route(getOperation, async (request) => {
      const project = await requestProject(projects, request);
      const { limit = 50, offset = 0 } = request.query;
      const { operation_id } = request.params;
      const operation = await changesets.get(project, operation_id);
      const steps = await changesets.steps(project, operation_id, limit, offset);
      return { ...operation, limit, offset, steps };
    }),
    route(undoOperation, async (request) => {
      const { actor, plan, principal } = request;
      const project = await requestProject(projects, request);
      const author = { actor, plan, role: principal?.role ?? 'viewer' } as const;
      return orAccepted(changesets, project, request, (begun) =>
        changesets.undo(project, request.params.operation_id, author, begun),
      );
    }),
    route(cancelOperation, async (request) =>
      changesets.cancel(await requestProject(projects, request), request.params.operation_id),
    ),
  ];
}
