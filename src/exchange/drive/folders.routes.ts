import type { DesktopTokens } from '../../access/drive-accounts.ts';
import { isoTime } from '../../kit/clock.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { DriveFile } from '../../platform/drive/drive.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import type { DriveConnections } from './connections.service.ts';
import type { DriveConnection } from './connections.ts';
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

/** Null if there are none: the user's own are used then. */
function tokensIn({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_expires: expiresAt,
}: RouteRequest<typeof registerDesktopTokens>['body']): DesktopTokens | null {
  if (accessToken === undefined && refreshToken === undefined) return null;
  return {
    ...(accessToken !== undefined && { accessToken }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

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

  async function select({ body, ...request }: RouteRequest<typeof selectDriveFolder>) {
    const { folder_id: folderId, folder_name: folderName } = body;
    const person = personOf(request);
    const project = await requestProject(projects, request);
    const chosen = { folderId, folderName, source: 'cloud' as const };
    return {
      status: 'connected' as const,
      ...shownConnection(await connections.connect(project, person, chosen)),
    };
  }

  async function disconnect(request: Bare) {
    personOf(request);
    await connections.disconnect(await requestProject(projects, request));
    return { status: 'disconnected' as const, provider: LOCAL_PROVIDER };
  }

  async function registerTokens({ body, ...request }: RouteRequest<typeof registerDesktopTokens>) {
    const { root_folder_id: folderId, root_folder_name: folderName } = body;
    const person = personOf(request);
    const project = await requestProject(projects, request);
    const tokens = tokensIn(body);
    if (tokens !== null)
      await drives.keepTokens(person, tokens, (drive) => connections.check(project, drive, folderId));
    const source = 'desktop' as const;
    const connection = await connections.connect(project, person, { folderId, folderName, source });
    return { status: 'registered' as const, ...shownConnection(connection), source };
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
