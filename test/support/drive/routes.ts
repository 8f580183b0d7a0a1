import type { Act, Api } from './api.ts';
import { ApiError } from './api-error.ts';
import { listChanges, startToken, watchChanges } from './changes.ts';
import { listFiles } from './list.ts';
import {
  about,
  createPermission,
  exportFile,
  generateIds,
  getFile,
  getRevision,
  listRevisions,
  stopChannel,
} from './reads.ts';
import { type Answer, type ApiRequest, errorAnswer } from './requests.ts';
import { cancelUpload, continueUpload, upload } from './uploads.ts';
import { createFile, deleteFile, updateFile } from './writes.ts';

const ID = '([^/]+)';
const API = '/drive/v3';

/** The first one that fits is used. */
const ROUTES: [method: string, path: RegExp, act: Act][] = [
  route('GET', `${API}/about`, about),
  route('GET', `${API}/files/generateIds`, generateIds),
  route('GET', `${API}/files`, listFiles),
  route('POST', `${API}/files`, createFile),
  route('GET', `${API}/files/${ID}`, getFile),
  route('PATCH', `${API}/files/${ID}`, updateFile),
  route('DELETE', `${API}/files/${ID}`, deleteFile),
  route('GET', `${API}/files/${ID}/export`, exportFile),
  route('GET', `${API}/files/${ID}/revisions`, listRevisions),
  route('GET', `${API}/files/${ID}/revisions/${ID}`, getRevision),
  route('POST', `${API}/files/${ID}/permissions`, createPermission),
  route('GET', `${API}/changes/startPageToken`, startToken),
  route('GET', `${API}/changes`, listChanges),
  route('POST', `${API}/changes/watch`, watchChanges),
  route('POST', `${API}/channels/stop`, stopChannel),
  route('POST', `/upload${API}/files`, upload),
  route('PATCH', `/upload${API}/files/${ID}`, upload),
  route('PUT', `/upload${API}/files(?:/${ID})?`, continueUpload),
  route('DELETE', `/upload${API}/files(?:/${ID})?`, cancelUpload),
];

function route(method: string, path: string, act: Act): [string, RegExp, Act] {
  return [method, new RegExp(`^${path}$`), act];
}

/** The right answer, an error's too. */
export function handle(api: Api, request: ApiRequest): Answer {
  try {
    for (const [method, path, act] of ROUTES) {
      const found = method === request.method ? path.exec(request.path) : null;
      if (found)
        return act(
          api,
          request,
          found.slice(1).map((id) => id && decodeURIComponent(id)),
        );
    }
    throw new ApiError(404, { reason: 'notFound', message: 'Not Found' });
  } catch (error) {
    return errorAnswer(error);
  }
}
