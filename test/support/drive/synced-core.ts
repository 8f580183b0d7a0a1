import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createRunningClock } from '../cloud.ts';
import type { CoreSetup, TestCore } from '../core.ts';
import { readTree } from '../desktop.ts';
import { until } from '../until.ts';
import { type DriveCore, startDriveCore } from './drive-core.ts';
import type { DriveServer } from './drive-server.ts';

export interface SyncWorker {
  running: boolean;
  last_sync: string | null;
  entities_synced: number;
  assets_synced: number;
  last_error: string | null;
}

export interface SyncedCore extends DriveCore {
  /** Of the connected folder. */
  folderId: string;
  /** Lets time pass for the core. */
  pass(milliseconds: number): void;
  /** Lets rounds come one after another until it is so. */
  rounds(isSo: () => boolean | Promise<boolean>, seen?: () => unknown): Promise<void>;
  /** Resolves once both sides have the same files. */
  alike(): Promise<void>;
  isAlike(): boolean;
  /** How many rounds asked the drive what changed. */
  asked(): number;
  force(status?: number): Promise<{ results: Record<string, number>; code?: string }>;
  worker(): Promise<SyncWorker | null>;
  select(body?: object): Promise<unknown>;
  character(id: string, body?: string): Promise<unknown>;
}

/** A worker looks for jobs every two seconds. */
const LOOKS_EVERY_MS = 2_200;

async function signIn(core: TestCore): Promise<string> {
  const body = { email: 'admin@example.com', password: 'correct horse battery' };
  const reply = await core.call<{ access_token: string }>('POST', '/api/auth/login', { token: null, body });
  return reply.body.access_token;
}

const isContent = (path: string): boolean =>
  !path.startsWith('_RecycleBin/') && !path.split('/').some((name) => name.startsWith('.'));

/** Texts by path. */
export const driveTexts = (server: DriveServer, folderId: string): Record<string, string> =>
  Object.fromEntries(
    server.tree(folderId).flatMap(({ path, text }) => (text === null ? [] : [[path, text]])),
  );

export const coreTexts = (contentDir: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(readTree(contentDir))
      .map(([path, text]) => [path.slice(contentDir.length + 1), text] as const)
      .filter(([path]) => isContent(path)),
  );

/** A core that syncs with a folder of a drive. */
export async function startSyncedCore(t: TestContext, setup: CoreSetup = {}): Promise<SyncedCore> {
  const clock = createRunningClock();
  const drive = await startDriveCore(t, { clock, syncs: true, ...setup });
  const { core, server, folder } = drive;
  let token = core.adminToken;
  /** Time passes quickly, so tokens end. */
  const ask: DriveCore['ask'] = async (status, method, url, options = {}) => {
    const now = await core.call('GET', '/api/auth/me', { token });
    if (now.status === 401) token = await signIn(core);
    return drive.ask(status, method, url, { token, ...options });
  };
  const folderId = folder('World');
  const select = (body: object = { folder_id: folderId }) =>
    ask(200, 'POST', '/api/drive-storage/select-folder', { body });
  const worker = async () =>
    (await ask<{ sync_worker: SyncWorker | null }>(200, 'GET', '/api/drive/cloud-sync-status')).sync_worker;
  const isAlike = () =>
    JSON.stringify(Object.entries(driveTexts(server, folderId)).sort()) ===
    JSON.stringify(Object.entries(coreTexts(core.contentDir)).sort());
  const rounds: SyncedCore['rounds'] = (isSo, seen) =>
    until(async () => {
      if (await isSo()) return true;
      // A running round's lease would end as well.
      if (!(await worker())?.running) clock.pass(61_000);
      await pause(LOOKS_EVERY_MS);
      return isSo();
    }, seen);
  const seen = () => [Object.keys(driveTexts(server, folderId)), Object.keys(coreTexts(core.contentDir))];
  return {
    ...drive,
    ask,
    folderId,
    pass: clock.pass,
    rounds,
    isAlike,
    alike: () => rounds(isAlike, seen),
    asked: () => server.requests.filter(({ path }) => /\/changes$/.test(path)).length,
    force: (status = 200) => ask(status, 'POST', '/api/drive/force-sync'),
    worker,
    select,
    character: (id, body = `Of ${id}.`) =>
      ask(201, 'POST', '/api/entity/character', {
        body: { entity_id: id, name: id, markdown_body: `${body}\n` },
      }),
  };
}
