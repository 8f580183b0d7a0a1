import { isoTime } from '../../kit/clock.ts';
import { type Route, route } from '../../kit/route.ts';
import type { DriveFile } from '../../platform/drive/drive.ts';
import { checkDriveQuery } from '../../platform/drive/drive-query.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import type { DriveConnections } from './connections.service.ts';
import type { Drives } from './drives.ts';
import {
  downloadDriveFile,
  exportDriveFile,
  exportEntityToDrive,
  getDriveFile,
  listDriveFiles,
  shareDriveFile,
  updateDriveFile,
} from './files.contract.ts';
import { createDocument, fileOf, replaceText, share } from './files.ts';
import { userOf } from './person-of.ts';
import { bytesReply, textReply } from './send-file.ts';

export interface FileRoutesOptions {
  projects: Projects;
  drives: Drives;
  connections: DriveConnections;
}

const FILES = 20;

const shownFile = ({ fileId, name, mimeType, size, modifiedAt, webContentLink }: DriveFile) => ({
  id: fileId,
  name,
  mimeType,
  size: size === null ? null : String(size),
  modifiedTime: isoTime(modifiedAt),
  webContentLink,
});

/** The caller's own files (spec 2 §4.3), by the caller's consent alone. */
export function fileRoutes({ projects, drives, connections }: FileRoutesOptions): Route[] {
  return [
    route(listDriveFiles, ({ query, ...request }) => {
      const { folder_id: parentId, page_token: pageToken, page_size: pageSize = FILES } = query;
      const term = query.query === undefined ? undefined : checkDriveQuery(query.query);
      return drives.read(userOf(request), async (drive) => {
        const { files, nextPageToken } = await drive.files({
          pageSize,
          ...(term !== undefined && { term }),
          ...(parentId !== undefined && { parentId }),
          ...(pageToken !== undefined && { pageToken }),
        });
        return { files: files.map(shownFile), nextPageToken };
      });
    }),
    route(getDriveFile, ({ params, ...request }) =>
      drives.read(userOf(request), async (drive) => {
        const file = await fileOf(drive, params.file_id);
        const { createdAt, webViewLink, description } = file;
        return {
          ...shownFile(file),
          createdTime: isoTime(createdAt),
          webLink: webViewLink,
          webViewLink,
          description,
        };
      }),
    ),
    route(exportDriveFile, ({ params, ...request }) =>
      drives.read(userOf(request), async (drive) => textReply(drive, await fileOf(drive, params.file_id))),
    ),
    route(downloadDriveFile, ({ params, ...request }) =>
      drives.read(userOf(request), async (drive) =>
        bytesReply(drive, await fileOf(drive, params.file_id), request.headers),
      ),
    ),
    route(exportEntityToDrive, async ({ body, ...request }) => {
      const { name, content, folder_id } = body;
      const folderId =
        folder_id ?? (await connections.required(await requestProject(projects, request))).rootFolderId;
      return drives.write(userOf(request), async (drive) => {
        const made = await createDocument(drive, { name, content, folderId });
        return {
          file_id: made.fileId,
          name: made.name,
          web_view_link: made.webViewLink,
          mime_type: made.mimeType,
        };
      });
    }),
    route(updateDriveFile, ({ params, body, ...request }) =>
      drives.write(userOf(request), async (drive) => {
        const { file, isModified } = await replaceText(drive, params.file_id, body.content);
        return {
          file_id: file.fileId,
          name: file.name,
          modified: isModified,
          modified_time: isoTime(file.modifiedAt),
        };
      }),
    ),
    route(shareDriveFile, ({ params, body, ...request }) =>
      drives.write(userOf(request), async (drive) => {
        const { email, role = 'reader' } = body;
        const { permissionId, ...given } = await share(drive, params.file_id, { email, role });
        return { permission_id: permissionId, ...given };
      }),
    ),
  ];
}
