import { fileReply } from '../../kit/http/file-reply.ts';
import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { getPreview } from './previews.contract.ts';
import type { Previews } from './previews.service.ts';

export interface PreviewRoutesOptions {
  projects: Projects;
  previews: Previews;
}

export const previewRoutes = ({ projects, previews }: PreviewRoutesOptions): Route[] => [
  route(getPreview, async (request) => {
    const { size = 1024, v: version } = request.query;
    const project = await requestProject(projects, request);
    const { openToAll } = request;
    const file = await previews.open(project, request.params.id, { size, version, openToAll });
    return fileReply(file, request.headers);
  }),
];
