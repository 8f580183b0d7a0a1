import type { TestContext } from 'node:test';
import {
  type DesktopTokens,
  DRIVE_FILE_SCOPE,
  type DriveAccounts,
  type DriveConsent,
} from '../../../src/access/drive-accounts.ts';
import type { DriveSync } from '../../../src/exchange/drive/index.ts';
import { conflict } from '../../../src/kit/errors.ts';
import { type CallOptions, type CoreSetup, startCore, type TestCore } from '../core.ts';
import { type DriveServer, startDriveServer } from './drive-server.ts';

/** Every user's consent is to the one account of the server. */
export interface DriveConsents extends DriveAccounts {
  consent: DriveConsent;
  kept: DesktopTokens[];
}

export function createConsents(server: DriveServer): DriveConsents {
  const kept: DesktopTokens[] = [];
  const consents: DriveConsents = {
    consent: {
      isConfigured: true,
      provider: 'google',
      isConnected: true,
      scopes: [DRIVE_FILE_SCOPE],
      expiresAt: '2026-03-04T06:05:07.890Z',
      refreshedAt: '2026-03-04T05:06:07.890Z',
      problem: null,
    },
    kept,
    status: async () => consents.consent,
    async accessToken(_userId, refused) {
      if (server.isRevoked || !consents.consent.isConnected)
        throw conflict('Google ended the access: connect the drive again', { code: 'not_connected' });
      return refused === server.token ? server.issueToken() : server.token;
    },
    async keepTokens(_userId, tokens) {
      kept.push(tokens);
      return consents.consent;
    },
    disconnect: async () => {},
  };
  return consents;
}

export interface SyncCalls extends DriveSync {
  calls: string[];
  /** Hints wait for it. */
  slowly: Promise<void>;
  fail: Error | null;
}

/** Notes what it is told, and syncs nothing. */
function createSyncCalls(): SyncCalls {
  const calls: string[] = [];
  const sync: SyncCalls = {
    calls,
    slowly: Promise.resolve(),
    fail: null,
    async force({ projectId }) {
      calls.push(`force ${projectId}`);
      if (sync.fail) throw sync.fail;
      return { entities_created: 1, entities_updated: 2, entities_deleted: 3, assets_synced: 4 };
    },
    async hint({ projectId }) {
      calls.push(`hint ${projectId}`);
      await sync.slowly;
    },
    status: async () => ({
      running: false,
      last_sync: null,
      entities_synced: 5,
      assets_synced: 6,
      last_error: null,
    }),
    async connected({ projectId }, { rootFolderName }) {
      calls.push(`connected ${projectId} ${rootFolderName}`);
    },
    async disconnected({ projectId }) {
      calls.push(`disconnected ${projectId}`);
    },
  };
  return sync;
}

export interface DriveCore {
  core: TestCore;
  server: DriveServer;
  consents: DriveConsents;
  sync: SyncCalls;
  /** A new folder at the root of the drive that the app sees. */
  folder(name: string): string;
  /** The reply must have the status. */
  ask<Body = Record<string, unknown>>(
    status: number,
    method: string,
    url: string,
    options?: CallOptions,
  ): Promise<Body>;
}

export const PUBLIC_URL = 'https://canonry.example.com';

/** A core with a drive at a server of ours. With `syncs` it syncs; otherwise `sync` notes what it is told. */
export async function startDriveCore(
  t: TestContext,
  { syncs = false, ...setup }: CoreSetup & { syncs?: boolean } = {},
): Promise<DriveCore> {
  const server = await startDriveServer();
  const [consents, sync] = [createConsents(server), createSyncCalls()];
  const core = await startCore({
    ...setup,
    drive: { accounts: consents, ...(!syncs && { sync }) },
    env: { PUBLIC_URL, DRIVE_API_BASE: server.url, ...setup.env },
  });
  t.after(async () => {
    await core.close();
    await server.close();
  });
  return {
    core,
    server,
    consents,
    sync,
    folder: (name) => server.owner.createFolder(server.rootId, name),
    async ask<Body>(status: number, method: string, url: string, options: CallOptions = {}) {
      const reply = await core.call<Body>(method, url, options);
      if (reply.status !== status) throw new Error(`${method} ${url}: ${reply.status} ${reply.text}`);
      return reply.body;
    },
  };
}
