import { randomUUID } from 'node:crypto';
import { type Act, fileOf } from './api.ts';
import { ApiError, badRequest, forbidden, invalid } from './api-error.ts';
import { convert } from './convert.ts';
import { headOf, isNativeType, type Permission } from './objects.ts';
import { exportsOf, renderFile, renderPermission, renderRevision, renderUser } from './render.ts';
import {
  type Answer,
  type ApiRequest,
  answerJson,
  emptyAnswer,
  jsonBody,
  numberOf,
  textOf,
} from './requests.ts';
import * as schemas from './schemas.ts';
import { newId, permissionIdOf } from './store.ts';

const EXPORT_LIMIT = 10 * 1024 * 1024;

export const about: Act = ({ store }, request) => {
  const { query } = request;
  if (!query.get('fields'))
    throw new ApiError(400, {
      reason: 'required',
      message: "The 'fields' parameter is required for this method.",
      locationType: 'parameter',
      location: 'fields',
    });
  const trashed = [...store.files.values()].filter(
    (file) => file.owner === store.account && store.isTrashed(file),
  );
  const used = String(store.used);
  const answer = {
    kind: 'drive#about',
    user: renderUser(store, store.account),
    storageQuota: {
      ...(store.storageLimit !== null && { limit: String(store.storageLimit) }),
      usage: used,
      usageInDrive: used,
      usageInDriveTrash: String(
        trashed.flatMap(({ revisions }) => revisions).reduce((sum, { content }) => sum + content.length, 0),
      ),
    },
  };
  return answerJson(request, answer, schemas.ABOUT, '*');
};

export const generateIds: Act = ({ store }, request) => {
  const count = numberOf(request.query, 'count', 10, 1000);
  const ids = Array.from({ length: count }, newId);
  for (const id of ids) store.reservedIds.add(id);
  return answerJson(request, { kind: 'drive#generatedIds', space: 'drive', ids }, schemas.GENERATED_IDS, '*');
};

export const getFile: Act = (api, request, [id = '']) => {
  const file = fileOf(api, request, id);
  if (request.query.get('alt') !== 'media')
    return answerJson(request, renderFile(api, file), schemas.FILE, schemas.DEFAULT_FILE);
  const head = headOf(file);
  if (!head || isNativeType(file.mimeType))
    throw forbidden(
      'fileNotDownloadable',
      'Only files with binary content can be downloaded. Use Export with Docs Editors files.',
      'alt',
    );
  return contentAnswer(request, head.content, file.mimeType);
};

function contentAnswer({ headers }: ApiRequest, content: Buffer, mimeType: string): Answer {
  const common = {
    'content-type': mimeType,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=0',
  };
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === ''))
    return { status: 200, headers: common, body: content };
  const size = content.length;
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) {
    const error = new ApiError(416, {
      reason: 'requestedRangeNotSatisfiable',
      message: 'Request range not satisfiable',
      locationType: 'header',
      location: 'Range',
    });
    error.headers = { 'content-range': `bytes */${size}` };
    throw error;
  }
  return {
    status: 206,
    headers: { ...common, 'content-range': `bytes ${first}-${last}/${size}` },
    body: content.subarray(first, last + 1),
  };
}

export const exportFile: Act = (api, request, [id = '']) => {
  const file = fileOf(api, request, id);
  const mimeType = request.query.get('mimeType');
  if (mimeType === null)
    throw new ApiError(400, {
      reason: 'required',
      message: 'Required parameter: mimeType',
      locationType: 'parameter',
      location: 'mimeType',
    });
  const head = headOf(file);
  if (!head || !isNativeType(file.mimeType))
    throw forbidden('fileNotExportable', 'Export only supports Docs Editors files.');
  if (!Object.hasOwn(exportsOf(file), mimeType))
    throw badRequest('The requested conversion is not supported.');
  const body = convert(head.content, mimeType);
  if (body.length > EXPORT_LIMIT)
    throw forbidden('exportSizeLimitExceeded', 'This file is too large to be exported.');
  return { status: 200, headers: { 'content-type': mimeType }, body };
};

export const listRevisions: Act = (api, request, [id = '']) => {
  const file = fileOf(api, request, id);
  const size = numberOf(request.query, 'pageSize', 200, 1000);
  const token = request.query.get('pageToken');
  const from = token === null ? 0 : Number(/^r(\d+)$/.exec(token)?.[1] ?? NaN);
  if (Number.isNaN(from) || request.fault.pageToken) throw invalid('pageToken');
  const isMore = from + size < file.revisions.length;
  const answer = {
    kind: 'drive#revisionList',
    ...(isMore && { nextPageToken: `r${from + size}` }),
    revisions: file.revisions.slice(from, from + size).map((revision) => renderRevision(api, file, revision)),
  };
  const fields = 'kind,nextPageToken,revisions(kind,id,mimeType,modifiedTime)';
  return answerJson(request, answer, schemas.REVISION_LIST, fields);
};

export const getRevision: Act = (api, request, [id = '', revisionId = '']) => {
  const file = fileOf(api, request, id);
  const revision =
    revisionId === 'head' ? headOf(file) : file.revisions.find((each) => each.id === revisionId);
  if (!revision)
    throw new ApiError(404, {
      reason: 'notFound',
      message: `Revision not found: ${revisionId}.`,
      locationType: 'parameter',
      location: 'revisionId',
    });
  if (request.query.get('alt') !== 'media')
    return answerJson(
      request,
      renderRevision(api, file, revision),
      schemas.REVISION,
      'kind,id,mimeType,modifiedTime',
    );
  if (isNativeType(file.mimeType))
    throw forbidden(
      'fileNotDownloadable',
      'Only files with binary content can be downloaded. Use Export with Docs Editors files.',
      'alt',
    );
  return contentAnswer(request, revision.content, revision.mimeType);
};

export const createPermission: Act = (api, request, [id = '']) => {
  const file = fileOf(api, request, id);
  const body = jsonBody(request);
  const [type, role, email] = [textOf(body, 'type'), textOf(body, 'role'), textOf(body, 'emailAddress')];
  if (!type || !['user', 'group', 'domain', 'anyone'].includes(type))
    throw badRequest('The permission type field is required.');
  if (!role || !['reader', 'commenter', 'writer', 'owner', 'organizer', 'fileOrganizer'].includes(role))
    throw badRequest('The permission role field is required.');
  if ((type === 'user' || type === 'group') && !email?.includes('@'))
    throw invalid(
      'permission.emailAddress',
      'The specified emailAddress is invalid or not applicable for the given permission type.',
    );
  if (!api.store.canEdit(file))
    throw forbidden(
      'insufficientFilePermissions',
      'The user does not have sufficient permissions for this file.',
    );
  const permission: Permission = {
    id: email ? permissionIdOf(email) : type === 'anyone' ? 'anyoneWithLink' : randomUUID(),
    type,
    role,
    ...(email && { emailAddress: email, displayName: email.split('@')[0] ?? email }),
  };
  file.permissions = [...file.permissions.filter((each) => each.id !== permission.id), permission];
  api.store.touch(file, null);
  return answerJson(request, renderPermission(permission), schemas.PERMISSION, 'kind,id,type,role');
};

export const stopChannel: Act = (api, request) => {
  const body = jsonBody(request);
  api.channels.stop(textOf(body, 'id') ?? '', textOf(body, 'resourceId') ?? '');
  return emptyAnswer(204);
};
