import type { JsonMap } from '../../../text/json.ts';
import { isMap } from '../../../text/json.ts';
import { type Drive, type DriveChange, DriveError, type FileQuery, FOLDER_TYPE } from '../drive.ts';
import { quoted } from '../query-tokens.ts';
import { readJson } from './answers.ts';
import type { DriveClient } from './drive-client.ts';
import { failed } from './failures.ts';
import { FILE_FIELDS, readFile } from './read-file.ts';
import { ALL_DRIVES, FROM_ALL_DRIVES, filePath, mapsIn, numberIn, queryOf, textIn } from './values.ts';

const CHANGES_AT_ONCE = 1_000;
const FILES_AT_ONCE = 100;
/** Stands where ids of files do, but is an address of its own. */
const NO_FILE = 'generateIds';

type Part<Name extends keyof Drive> = Pick<Drive, Name>;

export function listsOf(
  client: DriveClient,
): Part<'about' | 'file' | 'files' | 'startPageToken' | 'changes' | 'newIds'> {
  const get = (path: string, isPage = false): Promise<JsonMap> =>
    client.call({ method: 'GET', path, isPage, read: readJson });

  return {
    async about() {
      const fields = 'user(emailAddress,displayName,permissionId),storageQuota(limit,usage)';
      const { user, storageQuota } = await get(`/drive/v3/about${queryOf({ fields })}`);
      const [person, quota] = [user, storageQuota].map((each) => (isMap(each) ? each : {}));
      return {
        email: textIn(person?.emailAddress) ?? '',
        name: textIn(person?.displayName) ?? '',
        permissionId: textIn(person?.permissionId) ?? '',
        limit: numberIn(quota?.limit),
        used: numberIn(quota?.usage) ?? 0,
      };
    },
    async file(fileId) {
      if (fileId === NO_FILE) return null;
      try {
        return readFile(await get(`${filePath(fileId)}${queryOf({ ...ALL_DRIVES, fields: FILE_FIELDS })}`));
      } catch (error) {
        if (error instanceof DriveError && error.code === 'not_found') return null;
        throw error;
      }
    },
    async files(query) {
      const { pageSize = FILES_AT_ONCE, pageToken } = query;
      const path = `/drive/v3/files${queryOf({
        ...FROM_ALL_DRIVES,
        q: conditionsOf(query),
        pageSize,
        pageToken,
        fields: `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`,
      })}`;
      const page = await get(path, pageToken !== undefined);
      return {
        files: mapsIn(page.files).map(readFile),
        nextPageToken: textIn(page.nextPageToken),
        isIncomplete: page.incompleteSearch === true,
      };
    },
    async startPageToken() {
      const { startPageToken } = await get(`/drive/v3/changes/startPageToken${queryOf(ALL_DRIVES)}`);
      return tokenIn(startPageToken);
    },
    async changes(pageToken) {
      const path = `/drive/v3/changes${queryOf({
        ...FROM_ALL_DRIVES,
        includeRemoved: true,
        pageSize: CHANGES_AT_ONCE,
        pageToken,
        fields: `nextPageToken,newStartPageToken,changes(fileId,removed,file(${FILE_FIELDS}))`,
      })}`;
      const page = await get(path, true);
      const next = textIn(page.nextPageToken);
      return {
        changes: mapsIn(page.changes).flatMap(readChange),
        pageToken: next ?? tokenIn(page.newStartPageToken),
        hasMore: next !== null,
      };
    },
    async newIds(count) {
      const { ids } = await get(`/drive/v3/files/generateIds${queryOf({ count, fields: 'ids' })}`);
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    },
  };
}

function conditionsOf({ parentId, foldersOnly, trashed = 'without', term }: FileQuery): string | undefined {
  const conditions = [
    parentId === undefined ? [] : `${quoted(parentId)} in parents`,
    foldersOnly ? `mimeType = ${quoted(FOLDER_TYPE)}` : [],
    trashed === 'without' ? 'trashed = false' : [],
    term === undefined ? [] : `(${term})`,
  ].flat();
  return conditions.length === 0 ? undefined : conditions.join(' and ');
}

/** Changes of shared drives themselves have no file. */
function readChange({ fileId, removed, file }: JsonMap): DriveChange[] {
  const id = textIn(fileId);
  if (id === null) return [];
  return [{ fileId: id, file: removed === true || !isMap(file) ? null : readFile(file) }];
}

function tokenIn(value: unknown): string {
  const token = textIn(value);
  // Without it changes would be lost unnoticed.
  if (token === null) throw failed('unavailable', 'never').error;
  return token;
}
