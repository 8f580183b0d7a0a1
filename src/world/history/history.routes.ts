import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { getHistory, listHistory } from './history.contract.ts';
import type { History } from './history.service.ts';
import { timeOf } from './past-files.ts';

export function historyRoutes({ projects, history }: { projects: Projects; history: History }): Route[] {
  return [
    route(listHistory, async (request) => {
      const { at, type, limit = 50, offset = 0 } = request.query;
      const time = timeOf(at);
      const project = await requestProject(projects, request);
      return { limit, offset, ...(await history.list(project, time, type ?? null, { limit, offset })) };
    }),
    route(getHistory, async (request) => {
      const { type, id } = request.params;
      const time = timeOf(request.query.at);
      return history.get(await requestProject(projects, request), time, type, id);
    }),
  ];
}
