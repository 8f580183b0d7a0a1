import { type Route, route } from '../../../kit/route.ts';
import { type ProjectRequest, type Projects, requestProject } from '../../projects/index.ts';
import {
  activateStarterPack,
  activateTemplate,
  activeTemplates,
  availableTemplates,
  deactivateTemplate,
  starterPacks,
  tenantUsage,
} from './activation.contract.ts';
import type { Activation } from './activation.service.ts';

export function activationRoutes(projects: Projects, activation: Activation): Route[] {
  const projectOf = (request: ProjectRequest) => requestProject(projects, request);
  const bodyProject = (
    request: ProjectRequest & {
      body: { project_id?: string };
    },
  ) => projectOf({ ...request, projectId: request.body.project_id ?? request.projectId });

  return [
    route(availableTemplates, async (request) =>
      activation.available(await projectOf(request), request.query.category),
    ),
    route(activeTemplates, async (request) => activation.active(await projectOf(request), request.plan)),
    route(activateTemplate, async (request) =>
      activation.activate(await bodyProject(request), request.body.entity_type, request),
    ),
    route(deactivateTemplate, async (request) =>
      activation.deactivate(await bodyProject(request), request.body.entity_type),
    ),
    route(starterPacks, () => activation.packs()),
    route(activateStarterPack, async (request) =>
      activation.activatePack(await bodyProject(request), request.body.pack_id, request),
    ),
    route(tenantUsage, (request) => activation.usage(request.tenantId, request.plan)),
  ];
}
