import { isoTime } from '../../kit/clock.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import type { DriveConnections } from './connections.service.ts';
import type { DriveConnection } from './connections.ts';
import * as contracts from './drive.contract.ts';
import { DRIVE_PROVIDER, LOCAL_PROVIDER } from './drive.contract.ts';
import type { ConnectionSource } from './drive.tables.ts';
import type { DriveSync } from './drive-sync.ts';
import { type Drives, mayWrite, notConfigured } from './drives.ts';
import { topmost } from './folders.ts';
import { personOf, userOf } from './person-of.ts';

export interface DriveRoutesOptions {
  projects: Projects;
  drives: Drives;
  connections: DriveConnections;
  sync: DriveSync;
  /** Connected desktop apps of a tenant. */
  countDesktops(tenantId: string): Promise<number>;
}

type Bare = Omit<RouteRequest, 'params' | 'query' | 'body'>;

const PROVIDER = 'google';
const FOLDERS = 50;

/** Connecting a drive and choosing its folder (spec 2 §4.2). */
export function driveRoutes({
  projects,
  drives,
  connections,
  sync,
  countDesktops,
}: DriveRoutesOptions): Route[] {
  async function driveStatus(request: Bare) {
    const { userId, origin } = userOf(request);
    const consent = await drives.consentOf(userId);
    const { isConfigured, isConnected, provider, expiresAt, problem } = consent;
    return {
      connected: isConnected,
      configured: isConfigured,
      has_access_token: isConnected,
      auth_provider: provider ?? PROVIDER,
      token_expires: expiresAt,
      upgrade_url: isConfigured && !mayWrite(consent) ? drives.upgradeUrl(origin) : null,
      problem,
    };
  }

  async function storageStatus(request: Bare) {
    const { configured, connected, upgrade_url, problem } = await driveStatus(request);
    const connection = await connections.find(await requestProject(projects, request));
    return {
      server_configured: configured,
      user_has_tokens: connected,
      is_active_provider: connection !== null,
      root_folder_id: connection?.rootFolderId ?? null,
      root_folder_name: connection?.rootFolderName ?? null,
      connected_at: connection?.connectedAt ?? null,
      connected_by: connection?.userId ?? null,
      login_url: configured ? drives.loginUrl(request.origin) : null,
      upgrade_url,
      problem,
    };
  }

  function listFolders({ query, ...request }: RouteRequest<typeof contracts.listDriveFolders>) {
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
        folders: shown.map(({ fileId, name, modifiedAt }) => ({
          id: fileId,
          name,
          modified_time: isoTime(modifiedAt),
        })),
        next_page_token: nextPageToken,
        parent_id: parentId ?? null,
      };
    });
  }

  const shownFolder = ({ rootFolderId, rootFolderName }: DriveConnection) => ({
    folder_id: rootFolderId,
    folder_name: rootFolderName,
    provider: DRIVE_PROVIDER,
  });

  async function connect(
    request: Bare,
    folder: { folderId: string; folderName: string | undefined; source: ConnectionSource },
  ) {
    const person = personOf(request);
    return shownFolder(await connections.connect(await requestProject(projects, request), person, folder));
  }

  async function select({ body, ...request }: RouteRequest<typeof contracts.selectDriveFolder>) {
    const { folder_id: folderId, folder_name: folderName } = body;
    const shown = await connect(request, { folderId, folderName, source: 'cloud' });
    return { status: 'connected' as const, ...shown };
  }

  async function disconnect(request: Bare) {
    personOf(request);
    await connections.disconnect(await requestProject(projects, request));
    return { status: 'disconnected' as const, provider: LOCAL_PROVIDER };
  }

  async function test(request: Bare) {
    const connection = await connections.required(await requestProject(projects, request));
    const found = await connections.test(connection, request.origin);
    const { rootFolderId: root_folder_id, rootFolderName: root_folder_name } = connection;
    return { status: 'ok' as const, root_folder_id, root_folder_name, ...found };
  }

  async function registerTokens(request: RouteRequest<typeof contracts.registerDesktopTokens>) {
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

  async function syncStatus(request: Bare) {
    const project = await requestProject(projects, request);
    const connection = await connections.find(project);
    const consent = await drives.consentOf(connection?.userId ?? userOf(request).userId);
    if (!consent.isConfigured) throw notConfigured();
    const sessions = await countDesktops(request.tenantId);
    return {
      sync_worker: connection && (await sync.status(project)),
      desktop_presence: { online: sessions > 0, sessions },
      token_health: {
        healthy: consent.isConnected,
        last_refresh: consent.refreshedAt,
        // A refresh token is good until it is revoked.
        refreshes_remaining: null,
      },
    };
  }

  async function force(request: Bare) {
    const project = await requestProject(projects, request);
    await connections.required(project);
    const results = await drives.explained(request, () => sync.force(project));
    return { status: 'completed' as const, results };
  }

  return [
    route(contracts.getDriveStatus, driveStatus),
    route(contracts.getDriveStorage, storageStatus),
    route(contracts.getDriveStorageToo, storageStatus),
    route(contracts.listDriveFolders, listFolders),
    route(contracts.listDriveFoldersToo, listFolders),
    route(contracts.selectDriveFolder, select),
    route(contracts.selectDriveFolderToo, select),
    route(contracts.disconnectDrive, disconnect),
    route(contracts.disconnectDriveToo, disconnect),
    route(contracts.testDrive, test),
    route(contracts.testDriveToo, test),
    route(contracts.registerDesktopTokens, registerTokens),
    route(contracts.getDriveSyncStatus, syncStatus),
    route(contracts.getDriveSyncStatusToo, syncStatus),
    route(contracts.forceDriveSync, force),
    route(contracts.forceDriveSyncToo, force),
  ];
}
