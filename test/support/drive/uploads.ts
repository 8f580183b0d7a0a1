import { randomBytes } from 'node:crypto';
import { type Act, type Api, fileOf, type UploadSession } from './api.ts';
import { ApiError, badRequest } from './api-error.ts';
import { partsOf } from './multipart.ts';
import { type Answer, type ApiRequest, emptyAnswer, jsonBody } from './requests.ts';
import { checkNew, checkRoom, checkWritable, created, type Media, updated } from './writes.ts';

/** Pieces but for the last are multiples of it. */
const UNIT = 256 * 1024;

/** POST makes a new file, PATCH with an id replaces a content. */
export const upload: Act = (api, request, [id]) => {
  const type = request.query.get('uploadType');
  const finish = (metadata: Record<string, unknown>, media: Media) =>
    id === undefined ? created(api, request, metadata, media) : updated(api, request, id, metadata, media);
  const contentType = request.headers['content-type'];
  if (type === 'media') return finish({}, { content: request.body, mimeType: contentType ?? '' });
  if (type === 'resumable') return beginSession(api, request, id ?? null);
  if (type !== 'multipart') throw badRequest('Invalid upload type.');
  const [first, second, ...more] = partsOf(request.body, contentType);
  if (!first || !second || more.length > 0)
    throw badRequest('Invalid multipart request with other than 2 parts.');
  const metadata = jsonBody(first);
  return finish(metadata, {
    content: second.body,
    mimeType: typeOf(second.headers['content-type'], metadata),
  });
};

const typeOf = (given: string | undefined, { mimeType }: Record<string, unknown>): string =>
  given ?? (typeof mimeType === 'string' ? mimeType : 'application/octet-stream');

function beginSession(api: Api, request: ApiRequest, fileId: string | null): Answer {
  const metadata = jsonBody(request);
  const length = request.headers['x-upload-content-length']?.toString();
  const size = length === undefined ? null : Number(length);
  if (fileId === null) checkNew(api, request, metadata, size ?? 0);
  else {
    const file = fileOf(api, request, fileId);
    checkWritable(api, file);
    checkRoom(api, file, size ?? 0);
  }
  const uploadId = `AH${randomBytes(40).toString('base64url')}`;
  api.uploads.set(uploadId, {
    fileId,
    metadata,
    mimeType: typeOf(request.headers['x-upload-content-type']?.toString(), metadata),
    size,
    received: [],
    length: 0,
    begun: { ...request, body: Buffer.alloc(0) },
    answer: null,
  });
  const query = new URLSearchParams(request.query);
  query.set('upload_id', uploadId);
  return emptyAnswer(200, {
    location: `${api.url()}${request.path}?${query}`,
    'x-guploader-uploadid': uploadId,
  });
}

/** PUT of a piece, or of nothing to ask how far it came. */
export const continueUpload: Act = (api, request) => {
  const session = api.uploads.get(request.query.get('upload_id') ?? '');
  if (!session) throw new ApiError(404, { reason: 'notFound', message: 'Not Found' });
  if (session.answer) return session.answer;
  const given = request.headers['content-range']?.toString();
  const [, first, last, total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(given ?? '') ?? [];
  if (given !== undefined && total === undefined) throw badRequest('Failed to parse Content-Range header.');
  if (total !== undefined && total !== '*') {
    if (session.size !== null && session.size !== Number(total))
      throw badRequest('The Content-Range header does not match the size of the upload.');
    session.size = Number(total);
  }
  if (given === undefined) session.size = Number(request.headers['content-length'] ?? request.body.length);
  const isQuestion = given !== undefined && first === undefined;
  if (!isQuestion) take(session, request, Number(first ?? 0), last === undefined ? null : Number(last));
  if (session.length !== session.size) return incomplete(session);
  return finish(api, session);
};

function take(
  session: UploadSession,
  { body, isComplete }: ApiRequest,
  first: number,
  last: number | null,
): void {
  if (first > session.length)
    throw badRequest(
      `Invalid request. According to the Content-Range header, the upload offset is ${first} byte(s), which exceeds already uploaded size of ${session.length} byte(s).`,
    );
  if (isComplete && last !== null && body.length !== last - first + 1)
    throw badRequest('The Content-Range header does not match the length of the body.');
  const end = first + body.length;
  const isLast = end === session.size;
  if (isComplete && !isLast && body.length % UNIT !== 0)
    throw badRequest(
      `Invalid request. The number of bytes uploaded is required to be a multiple of ${UNIT}, except for the final request. The received request contained ${body.length} bytes.`,
    );
  const kept = isLast ? end : end - (end % UNIT);
  if (kept <= session.length) return;
  session.received.push(body.subarray(session.length - first, kept - first));
  session.length = kept;
}

const incomplete = ({ length }: UploadSession): Answer =>
  emptyAnswer(308, length === 0 ? {} : { range: `bytes=0-${length - 1}` });

function finish(api: Api, session: UploadSession): Answer {
  const { fileId, metadata, mimeType, begun } = session;
  const media = { content: Buffer.concat(session.received), mimeType };
  session.answer =
    fileId === null ? created(api, begun, metadata, media) : updated(api, begun, fileId, metadata, media);
  session.received = [];
  return session.answer;
}

export const cancelUpload: Act = (api, { query }) => {
  if (!api.uploads.delete(query.get('upload_id') ?? ''))
    throw new ApiError(404, { reason: 'notFound', message: 'Not Found' });
  return emptyAnswer(499);
};
