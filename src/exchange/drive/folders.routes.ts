import { isoTime } from '../../kit/clock.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { DriveFile } from '../../platform/drive/drive.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import type { DriveConnections } from './connections.service.ts';
import type { DriveConnection } from './connections.ts';
import type { ConnectionSource } from './drive.tables.ts';
import type { Drives } from './drives.ts';
import {
  createDriveFolder,
  DRIVE_PROVIDER,
  disconnectDrive,
  disconnectDriveToo,
  LOCAL_PROVIDER,
  listDriveFolders,
  listDriveFoldersToo,
  registerDesktopTokens,
  selectDriveFolder,
  selectDriveFolderToo,
} from './folders.contract.ts';
import { createFolder, topmost } from './folders.ts';
import { personOf, userOf } from './person-of.ts';

export interface FolderRoutesOptions {
  projects: Projects;
  drives: Drives;
  connections: DriveConnections;
}

type Bare = Omit<RouteRequest, 'params' | 'query' | 'body'>;

const FOLDERS = 50;

const shownFolder = ({ fileId, name, modifiedAt }: DriveFile) => ({
  id: fileId,
  name,
  modified_time: isoTime(modifiedAt),
});

const shownConnection = ({ rootFolderId, rootFolderName }: DriveConnection) => ({
  folder_id: rootFolderId,
  folder_name: rootFolderName,
  provider: DRIVE_PROVIDER,
});

/** Finding, making and choosing the folder of a project (spec 2 §4.2). */
export function folderRoutes({ projects, drives, connections }: FolderRoutesOptions): Route[] {
  function listFolders({ query, ...request }: RouteRequest<typeof listDriveFolders>) {
    const { parent_id: parentId, page_token: pageToken, page_size: pageSize = FOLDERS } = query;
    return drives.read(userOf(request), async (drive) => {
      const { files, nextPageToken } = await drive.files({
        foldersOnly: true,
        pageSize,
        ...(parentId !== undefined && { parentId }),
        ...(pageToken !== undefined && { pageToken }),
      });
      const shown = parentId === undefined ? await topmost(drive, files) : files;
      return {
        folders: shown.map(shownFolder),
        next_page_token: nextPageToken,
        parent_id: parentId ?? null,
      };
    });
  }

  function create({ body, ...request }: RouteRequest<typeof createDriveFolder>) {
    const { name, parent_id: parentId } = body;
    return drives.write(personOf(request), async (drive) =>
      shownFolder(await createFolder(drive, name, parentId)),
    );
  }

  async function connect(
    request: Bare,
    folder: { folderId: string; folderName: string | undefined; source: ConnectionSource },
  ) {
    const person = personOf(request);
    return shownConnection(
      await connections.connect(await requestProject(projects, request), person, folder),
    );
  }

  async function select({ body, ...request }: RouteRequest<typeof selectDriveFolder>) {
    const { folder_id: folderId, folder_name: folderName } = body;
    const shown = await connect(request, { folderId, folderName, source: 'cloud' });
    return { status: 'connected' as const, ...shown };
  }

  async function disconnect(request: Bare) {
    personOf(request);
    await connections.disconnect(await requestProject(projects, request));
    return { status: 'disconnected' as const, provider: LOCAL_PROVIDER };
  }

  async function registerTokens(request: RouteRequest<typeof registerDesktopTokens>) {
    const { access_token, refresh_token, token_expires, root_folder_id, root_folder_name } = request.body;
    const { userId } = personOf(request);
    if (access_token !== undefined || refresh_token !== undefined)
      await drives.keepTokens(userId, {
        ...(access_token !== undefined && { accessToken: access_token }),
        ...(refresh_token !== undefined && { refreshToken: refresh_token }),
        ...(token_expires !== undefined && { expiresAt: token_expires }),
      });
    const folder = { folderId: root_folder_id, folderName: root_folder_name, source: 'desktop' as const };
    return { status: 'registered' as const, ...(await connect(request, folder)), source: 'desktop' as const };
  }

  return [
    route(listDriveFolders, listFolders),
    route(listDriveFoldersToo, listFolders),
    route(createDriveFolder, create),
    route(selectDriveFolder, select),
    route(selectDriveFolderToo, select),
    route(disconnectDrive, disconnect),
    route(disconnectDriveToo, disconnect),
    route(registerDesktopTokens, registerTokens),
  ];
}
