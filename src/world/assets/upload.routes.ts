import { callerOf } from '../../kit/principal.ts';
import { type Route, type RouteRequest, route, type UploadedFile } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import {
  BATCHES_PATH,
  LARGEST_RESUMABLE,
  LARGEST_UPLOAD,
  listUploaders,
  RESUMABLE_PATH,
  uploadAsset,
  uploadBrandImage,
  uploadCharacterImage,
  uploadEntityFile,
  uploadLocationImage,
} from './upload.contract.ts';
import type { Upload, Uploads } from './upload.service.ts';
import { uploadOf, uploadTo } from './upload-form.ts';

type FormRequest = Omit<RouteRequest, 'params' | 'query' | 'body'>;
type ImageOf = Pick<RouteRequest<typeof uploadCharacterImage>, 'params' | 'body'>;

export function uploadRoutes({ projects, uploads }: { projects: Projects; uploads: Uploads }): Route[] {
  async function take(request: FormRequest, describe: (file: UploadedFile) => Upload) {
    const { file } = request.files;
    if (file === undefined) throw new Error('a form without its file came through');
    const author = { actor: callerOf(request).userId, plan: request.plan };
    return uploads.upload(await requestProject(projects, request), describe(file), author);
  }

  const imageOf = (type: string) => (request: FormRequest & ImageOf) =>
    take(request, (file) =>
      uploadTo({ entity: { type, id: request.params.id }, kind: 'image' }, file, request.body),
    );

  return [
    route(uploadCharacterImage, imageOf('character')),
    route(uploadLocationImage, imageOf('location')),
    route(uploadBrandImage, imageOf('brand')),
    route(uploadEntityFile, (request) =>
      take(request, (file) => uploadTo({ entity: request.params, kind: null }, file, request.body)),
    ),
    route(uploadAsset, (request) => take(request, (file) => uploadOf(file, request.body))),
    route(listUploaders, () => ({
      uploaders: [
        { id: 'form', path: uploadAsset.path, max_bytes: LARGEST_UPLOAD, resumable: false },
        { id: 'tus', path: RESUMABLE_PATH, max_bytes: LARGEST_RESUMABLE, resumable: true },
        { id: 'batch', path: BATCHES_PATH, max_bytes: LARGEST_UPLOAD, resumable: false },
      ],
    })),
  ];
}
