import { type Route, route } from '../../kit/route.ts';
import type { Projects } from '../projects/projects.service.ts';
import { requestProject } from '../projects/request-project.ts';
import { fixValidation } from './fix.contract.ts';
import type { Fixes } from './fix.service.ts';

export const fixRoutes = (projects: Projects, fixes: Fixes): Route[] => [
  route(fixValidation, async (request) => {
    const { actor, plan, body = {} } = request;
    const { dry_run = false } = body;
    const project = await requestProject(projects, request);
    const asked = {
      entityType: body.entity_type ?? null,
      entityId: body.entity_id ?? null,
      kinds: body.kinds ?? null,
      removeDangling: body.remove_dangling ?? false,
    };
    const done = dry_run
      ? await fixes.plan(project, asked)
      : await fixes.fix(project, asked, { actor, plan });
    return { dry_run, ...done };
  }),
];
