import { isoTime } from '../../../src/kit/clock.ts';
import { type Act, type Api, canSee } from './api.ts';
import { ApiError, invalid } from './api-error.ts';
import type { Change } from './objects.ts';
import { renderFile } from './render.ts';
import { type ApiRequest, answerJson, flag, jsonBody, numberOf } from './requests.ts';
import { CHANGE_LIST, CHANNEL, DEFAULT_FILE, START_TOKEN } from './schemas.ts';

export const startToken: Act = (api, request) =>
  answerJson(
    request,
    { kind: 'drive#startPageToken', startPageToken: tokenOf(api, api.store.changes.length) },
    START_TOKEN,
    '*',
  );

const tokenOf = (api: Api, index: number): string => String(api.tokenBase + index);

function indexOf(api: Api, { query, fault }: ApiRequest): number {
  const token = query.get('pageToken');
  if (token === null)
    throw new ApiError(400, {
      reason: 'required',
      message: 'Required parameter: pageToken',
      locationType: 'parameter',
      location: 'pageToken',
    });
  const index = /^\d+$/.test(token) ? Number(token) - api.tokenBase : NaN;
  const isKnown = index >= 0 && index <= api.store.changes.length;
  if (fault.pageToken === 'gone' || (!isKnown && api.expiredTokenStatus === 410 && !fault.pageToken))
    throw new ApiError(410, {
      reason: 'gone',
      message: 'The page token is no longer valid.',
      locationType: 'parameter',
      location: 'pageToken',
    });
  if (!isKnown || fault.pageToken) throw invalid('pageToken', 'Invalid Value');
  return index;
}

/** Of several changes of a file only the newest is listed. */
export const listChanges: Act = (api, request) => {
  const { query, fault } = request;
  const { changes, lastChange } = api.store;
  const size = numberOf(query, 'pageSize', 100, 1000);
  const listed: object[] = [];
  let at = indexOf(api, request);
  for (; at < changes.length && listed.length < size; at += 1) {
    const change = changes[at];
    if (!change || lastChange.get(change.fileId) !== at) continue;
    const entry = renderChange(api, query, change);
    if (entry) listed.push(entry);
  }
  const token = tokenOf(api, at);
  const answer = {
    kind: 'drive#changeList',
    ...(at < changes.length ? { nextPageToken: token } : { newStartPageToken: token }),
    changes: fault.list === 'empty' ? [] : listed,
  };
  const fields = `kind,nextPageToken,newStartPageToken,changes(kind,type,changeType,time,removed,fileId,file(${DEFAULT_FILE}))`;
  return answerJson(request, answer, CHANGE_LIST, fields);
};

function renderChange(api: Api, query: URLSearchParams, change: Change): object | null {
  const { fileId, at, driveId, wasVisible } = change;
  const wanted = query.get('driveId');
  const withDrives = flag(query, 'includeItemsFromAllDrives') && flag(query, 'supportsAllDrives');
  if (driveId !== wanted && (wanted !== null || !withDrives)) return null;
  if (driveId !== null && flag(query, 'restrictToMyDrive')) return null;
  const file = api.store.files.get(fileId);
  const isSeen = file !== undefined && canSee(api, file);
  if (!isSeen && (!wasVisible || !flag(query, 'includeRemoved', true))) return null;
  return {
    kind: 'drive#change',
    type: 'file',
    changeType: 'file',
    time: isoTime(at),
    removed: !isSeen,
    fileId,
    ...(driveId !== null && { driveId }),
    ...(isSeen && { file: renderFile(api, file) }),
  };
}

export const watchChanges: Act = (api, request) => {
  indexOf(api, request);
  const resourceUri = `${api.url()}/drive/v3/changes?alt=json&pageToken=${request.query.get('pageToken')}`;
  const channel = api.channels.open(jsonBody(request), resourceUri, api.allowHttpAddresses);
  return answerJson(request, channel, CHANNEL, '*');
};
