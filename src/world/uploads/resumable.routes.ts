import { isoTime } from '../../kit/clock.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { appendUpload, beginUpload, describeUploads, dropUpload, getUpload } from './resumable.contract.ts';
import type { Resumable, Standing } from './resumable.service.ts';
import { SPOKEN, VERSION } from './tus.ts';

const stateOf = ({ id, offset, size, expiresAt, assetId }: Standing) => ({
  id,
  offset,
  length: size,
  expires_at: isoTime(expiresAt),
  asset_id: assetId,
});

const headersOf = ({ offset, expiresAt }: Standing) => ({
  ...VERSION,
  'upload-offset': String(offset),
  'upload-expires': new Date(expiresAt).toUTCString(),
});

export const resumableRoutes = (resumable: Resumable): Route[] => [
  route(describeUploads, () => new Reply(null, { headers: SPOKEN })),
  route(beginUpload, async (request) => {
    const standing = await resumable.begin(request);
    const location = `${beginUpload.path}/${standing.id}`;
    return new Reply(stateOf(standing), { headers: { ...headersOf(standing), location } });
  }),
  route(getUpload, async (request) => {
    const standing = await resumable.standing(request, request.params.id);
    const headers = {
      ...headersOf(standing),
      'upload-length': String(standing.size),
      'upload-metadata': standing.metadata,
      'cache-control': 'no-store',
    };
    return new Reply(stateOf(standing), { headers });
  }),
  route(appendUpload, async (request) => {
    const standing = await resumable.append(request, request.params.id);
    return new Reply(null, { headers: headersOf(standing) });
  }),
  route(dropUpload, async (request) => {
    await resumable.drop(request, request.params.id);
    return new Reply(null, { headers: VERSION });
  }),
];
