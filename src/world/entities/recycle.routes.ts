import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { emptyRecycleBin, listRecycleBin, purgeRecycleItem, restoreRecycleItem } from './recycle.contract.ts';
import type { RecycleBin } from './recycle.service.ts';
import { ready } from './replies.ts';

export function recycleRoutes({
  projects,
  recycleBin,
}: {
  projects: Projects;
  recycleBin: RecycleBin;
}): Route[] {
  return [
    route(listRecycleBin, async (request) => {
      const { limit = 50, offset = 0 } = request.query;
      return {
        ...(await recycleBin.list(await requestProject(projects, request), limit, offset)),
        limit,
        offset,
      };
    }),
    route(restoreRecycleItem, async (request) => {
      const project = await requestProject(projects, request);
      return ready(project, await recycleBin.restore(project, request.params.item_id, request));
    }),
    route(purgeRecycleItem, async (request) => {
      await recycleBin.purge(await requestProject(projects, request), request.params.item_id);
      return { purged: 1 };
    }),
    route(emptyRecycleBin, async (request) => ({
      purged: await recycleBin.empty(await requestProject(projects, request)),
    })),
  ];
}
