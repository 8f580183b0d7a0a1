import { type Route, route } from '../../kit/route.ts';
import { type Changesets, orAccepted } from '../changesets/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { fixValidation } from './fix.contract.ts';
import type { Fixes } from './fix.service.ts';

export const fixRoutes = (projects: Projects, fixes: Fixes, changesets: Changesets): Route[] => [
  route(fixValidation, async (request) => {
    const { actor, plan, body = {} } = request;
    const { dry_run = false } = body;
    const project = await requestProject(projects, request);
    const input = {
      entityType: body.entity_type ?? null,
      entityId: body.entity_id ?? null,
      kinds: body.kinds ?? null,
      removeDangling: body.remove_dangling ?? false,
    };
    if (dry_run) return { dry_run, ...(await fixes.plan(project, input)) };
    return orAccepted(changesets, project, request, async (begun) => ({
      dry_run,
      ...(await fixes.fix(project, input, { actor, plan }, 'api', begun)),
    }));
  }),
];
