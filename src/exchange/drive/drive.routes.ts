import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import type { DriveConnections } from './connections.service.ts';
import * as contracts from './drive.contract.ts';
import type { DriveSync } from './drive-sync.ts';
import { type Drives, mayWrite, notConfigured } from './drives.ts';
import { folderRoutes } from './folders.routes.ts';
import { userOf } from './person-of.ts';

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

/** The connection and its sync (spec 2 §4.2). */
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

  async function test(request: Bare) {
    const connection = await connections.required(await requestProject(projects, request));
    const found = await connections.test(connection, request.origin);
    const { rootFolderId: root_folder_id, rootFolderName: root_folder_name } = connection;
    return { status: 'ok' as const, root_folder_id, root_folder_name, ...found };
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
    ...folderRoutes({ projects, drives, connections }),
    route(contracts.testDrive, test),
    route(contracts.testDriveToo, test),
    route(contracts.getDriveSyncStatus, syncStatus),
    route(contracts.getDriveSyncStatusToo, syncStatus),
    route(contracts.forceDriveSync, force),
    route(contracts.forceDriveSyncToo, force),
  ];
}
