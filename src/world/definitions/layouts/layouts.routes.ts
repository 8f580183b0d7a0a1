import { WIDGETS } from '../../../content/template/index.ts';
import { Reply, type Route, route } from '../../../kit/route.ts';
import { type Projects, requestProject } from '../../projects/index.ts';
import { tagOf } from '../files/file-tag.ts';
import { deleteLayout, getLayout, listWidgets, updateLayout } from './layouts.contract.ts';
import type { Layouts, ShownLayout } from './layouts.service.ts';

const tagged = (layout: ShownLayout) =>
  new Reply(layout, layout.checksum === null ? {} : { headers: { etag: tagOf(layout.checksum) } });

export const layoutRoutes = (projects: Projects, layouts: Layouts): Route[] => [
  route(listWidgets, () => ({ widgets: [...WIDGETS] })),
  route(getLayout, async (request) =>
    tagged(await layouts.get(await requestProject(projects, request), request.params.type)),
  ),
  route(updateLayout, async (request) => {
    const { params, body, headers } = request;
    const seen = { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
    const project = await requestProject(projects, request);
    return tagged(await layouts.update(project, params.type, body, seen));
  }),
  route(deleteLayout, async (request) => {
    const { params, headers } = request;
    const project = await requestProject(projects, request);
    return tagged(await layouts.remove(project, params.type, headers['if-match']));
  }),
];
