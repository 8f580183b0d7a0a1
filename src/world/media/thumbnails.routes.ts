import { fileReply } from '../../kit/http/file-reply.ts';
import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { getThumbnail, makeThumbnails, THUMBNAIL_SIZES } from './thumbnails.contract.ts';
import type { Thumbnails } from './thumbnails.service.ts';

export interface ThumbnailRoutesOptions {
  projects: Projects;
  thumbnails: Thumbnails;
}

export const thumbnailRoutes = ({ projects, thumbnails }: ThumbnailRoutesOptions): Route[] => [
  route(getThumbnail, async (request) => {
    const { size = 256, v: version } = request.query;
    const project = await requestProject(projects, request);
    const file = await thumbnails.open(project, request.params.id, {
      size,
      version,
      openToAll: request.openToAll,
    });
    return fileReply(file, request.headers);
  }),
  route(makeThumbnails, async (request) => {
    const { asset_id, sizes = THUMBNAIL_SIZES } = request.body;
    return thumbnails.make(await requestProject(projects, request), asset_id, sizes);
  }),
];
