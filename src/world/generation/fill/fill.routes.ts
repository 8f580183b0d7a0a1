import { type Route, route } from '../../../kit/route.ts';
import { aiCallerOf } from '../../models/index.ts';
import { type Projects, requestProject } from '../../projects/index.ts';
import { cancelFill, getFill, startFill } from './fill.contract.ts';
import type { Fills } from './fill.service.ts';

export const fillRoutes = (projects: Projects, fills: Fills): Route[] => [
  route(startFill, async (request) =>
    fills.start(await requestProject(projects, request), aiCallerOf(request), request.body),
  ),
  route(getFill, async (request) =>
    fills.get(await requestProject(projects, request), request.params.run_id),
  ),
  route(cancelFill, async (request) =>
    fills.cancel(await requestProject(projects, request), request.params.run_id),
  ),
];
