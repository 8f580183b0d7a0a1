import { isoTime } from '../../kit/clock.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { appendUpload, beginUpload, describeUploads, dropUpload, getUpload } from './resumable.contract.ts';
import type { Resumable, UploadStatus } from './resumable.service.ts';
import { CAPABILITIES, VERSION } from './tus.ts';

const stateOf = ({ id, offset, size, expiresAt, assetId }: UploadStatus) => ({
  id,
  offset,
  length: size,
  expires_at: isoTime(expiresAt),
  asset_id: assetId,
});

const headersOf = ({ offset, expiresAt }: UploadStatus) => ({
  ...VERSION,
  'upload-offset': String(offset),
  'upload-expires': new Date(expiresAt).toUTCString(),
});

export const resumableRoutes = (resumable: Resumable): Route[] => [
  route(describeUploads, () => new Reply(null, { headers: CAPABILITIES })),
  route(beginUpload, async (request) => {
    const status = await resumable.begin(request);
    const location = `${beginUpload.path}/${status.id}`;
    return new Reply(stateOf(status), { headers: { ...headersOf(status), location } });
  }),
  route(getUpload, async (request) => {
    const status = await resumable.status(request, request.params.id);
    const headers = {
      ...headersOf(status),
      'upload-length': String(status.size),
      'upload-metadata': status.metadata,
      'cache-control': 'no-store',
    };
    return new Reply(stateOf(status), { headers });
  }),
  route(appendUpload, async (request) => {
    const status = await resumable.append(request, request.params.id);
    return new Reply(null, { headers: headersOf(status) });
  }),
  route(dropUpload, async (request) => {
    await resumable.drop(request, request.params.id);
    return new Reply(null, { headers: VERSION });
  }),
];
