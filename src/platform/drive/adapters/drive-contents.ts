import type { IncomingMessage } from 'node:http';
import type { JsonMap } from '../../../text/json.ts';
import type { DownloadOptions, Drive, DriveRevision } from '../drive.ts';
import { contentOf, readJson } from './answers.ts';
import type { ClientSettings } from './drive-call.ts';
import type { DriveClient } from './drive-client.ts';
import { ALL_DRIVES, filePath, mapsIn, numberIn, queryOf, textIn, timeIn } from './values.ts';

const REVISIONS_AT_ONCE = 1_000;
/** Compressed bytes would not be those that were asked for. */
const AS_IT_IS = { 'accept-encoding': 'identity' };

export function contentsOf(
  client: DriveClient,
  { answerMs }: ClientSettings,
): Pick<Drive, 'revisions' | 'download' | 'export'> {
  return {
    async revisions(fileId) {
      const found: DriveRevision[] = [];
      let pageToken: string | undefined;
      do {
        const path = `${filePath(fileId)}/revisions${queryOf({
          pageSize: REVISIONS_AT_ONCE,
          pageToken,
          fields: 'nextPageToken,revisions(id,modifiedTime,size,md5Checksum)',
        })}`;
        const isPage = pageToken !== undefined;
        const page = await client.call({ method: 'GET', path, isPage, read: readJson });
        found.push(...mapsIn(page.revisions).map(readRevision));
        pageToken = textIn(page.nextPageToken) ?? undefined;
      } while (pageToken !== undefined);
      return found;
    },
    download: (fileId, options = {}) =>
      client.call({
        method: 'GET',
        path: contentPath(fileId, options),
        send: () => ({ headers: { ...AS_IT_IS, ...rangeOf(options) } }),
        read: async (answer) => ({
          body: contentOf(answer, answerMs),
          size: numberIn(answer.headers['content-length']),
          mimeType: typeOf(answer),
          contentRange: answer.headers['content-range'] ?? null,
        }),
      }),
    export: (fileId, mimeType) =>
      client.call({
        method: 'GET',
        path: `${filePath(fileId)}/export${queryOf({ mimeType })}`,
        send: () => ({ headers: AS_IT_IS }),
        read: async (answer) => contentOf(answer, answerMs),
      }),
  };
}

const contentPath = (fileId: string, { revisionId }: DownloadOptions): string =>
  revisionId === undefined
    ? `${filePath(fileId)}${queryOf({ ...ALL_DRIVES, alt: 'media' })}`
    : `${filePath(fileId)}/revisions/${encodeURIComponent(revisionId)}${queryOf({ alt: 'media' })}`;

const rangeOf = ({ range }: DownloadOptions) =>
  range && { range: `bytes=${range.first}-${range.last ?? ''}` };

const typeOf = ({ headers }: IncomingMessage): string =>
  headers['content-type'] ?? 'application/octet-stream';

const readRevision = (json: JsonMap): DriveRevision => ({
  revisionId: textIn(json.id) ?? '',
  modifiedAt: timeIn(json.modifiedTime) ?? 0,
  size: numberIn(json.size),
  md5: textIn(json.md5Checksum),
});
