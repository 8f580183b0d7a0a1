import { type Route, route } from '../../../kit/route.ts';
import { type Projects, requestProject } from '../../projects/index.ts';
import type { ShowPlugin } from '../show-plugin.ts';
import { getCatalog, installFromCatalog } from './catalog.contract.ts';
import type { Catalog } from './catalog.service.ts';

export function catalogRoutes(projects: Projects, catalog: Catalog, show: ShowPlugin): Route[] {
  return [
    route(getCatalog, async (request) =>
      catalog.list(await requestProject(projects, request), request.query),
    ),
    route(installFromCatalog, async (request) => {
      const project = await requestProject(projects, request);
      return show(request, project, await catalog.install(project, request.params.id, request));
    }),
  ];
}
