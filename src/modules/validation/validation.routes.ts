import { type Route, route } from '../../kit/route.ts';
import type { Projects } from '../projects/projects.service.ts';
import { requestProject } from '../projects/request-project.ts';
import { validateAll, validateType, validationStatus } from './validation.contract.ts';
import type { Validation } from './validation.service.ts';

export const validationRoutes = (projects: Projects, validation: Validation): Route[] => [
  route(validateType, async (request) =>
    validation.type(await requestProject(projects, request), request.params.type, request.body?.entity_id),
  ),
  route(validateAll, async (request) =>
    validation.all(await requestProject(projects, request), { wait: request.body?.wait ?? true }),
  ),
  route(validationStatus, async (request) => validation.status(await requestProject(projects, request))),
];
