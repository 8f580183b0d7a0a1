import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { assemble } from '../../../src/frame/assemble.ts';
import type { ServiceOf } from '../../../src/frame/module.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import { createServer } from '../../../src/kit/http/server.ts';
import type { Log } from '../../../src/kit/log.ts';
import { createSecretBox } from '../../../src/kit/secret-box.ts';
import { blobOpener, localStorage } from '../../../src/surfaces/blobs.ts';
import { createContentStorage } from '../../../src/surfaces/content-storage.ts';
import { openProjectFolders } from '../../../src/surfaces/platform.ts';
import { translateError } from '../../../src/surfaces/translate-error.ts';
import { recordMigrations } from '../../../src/world/records/records.tables.ts';
import type { LocalStorage } from '../../../src/world/storage/settings.service.ts';
import { storageModule } from '../../../src/world/storage/storage.module.ts';
import { storageMigrations } from '../../../src/world/storage/storage.tables.ts';
import { type OpenDatabase, type OpenedDatabase, openTestSqlite } from '../databases.ts';

export interface StorageReply {
  status: number;
  text: string;
  body: Record<string, unknown> & { detail: string; code: string };
}

export interface StorageService extends Pick<ServiceOf<typeof storageModule>, 'stores'> {
  isConfigured(tenantId: string): Promise<boolean>;
  opened: OpenedDatabase;
  /** Beside the service's own folders. */
  folder: string;
  contentDir: string;
  dataDir: string;
  put(body: object, tenant?: string): Promise<StorageReply>;
  get(path?: string, tenant?: string): Promise<StorageReply>;
  logged: string[];
}

interface Setup {
  open?: OpenDatabase;
  deployment?: 'core' | 'cloud';
  allowPrivateEndpoints?: boolean;
  /** Short time limits for storages. */
  isHasty?: boolean;
}

/** The storage module alone over HTTP, for admins of any tenant. */
export async function startStorage(t: TestContext, setup: Setup = {}): Promise<StorageService> {
  const { deployment = 'core', allowPrivateEndpoints = deployment === 'core' } = setup;
  const base = mkdtempSync(join(tmpdir(), 'storage-'));
  const [folder, contentDir, dataDir] = ['files', 'content', 'data'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [folder, contentDir, dataDir]) mkdirSync(each);
  const opened = await (setup.open ?? openTestSqlite)();
  await opened.database.migrate([...recordMigrations, ...storageMigrations]);
  const local: LocalStorage | null = deployment === 'core' ? localStorage({ dataDir, contentDir }) : null;
  const config = { encryptionKey: randomBytes(32), deployment, allowPrivateEndpoints };
  const content = createContentStorage({
    database: opened.database,
    clock: systemClock,
    config,
    box: createSecretBox(config.encryptionKey),
    folders: openProjectFolders({ dataDir, contentDir }),
  });
  const logged: string[] = [];
  const log = keepingLog(logged);
  const storage = assemble(
    {
      database: opened.database,
      clock: systemClock,
      log,
      contentStorage: content,
      localStorage: local,
      openBlobs: blobOpener(config),
      ...(setup.isHasty && { probeTimes: { answerMs: 800, deadlineMs: 1_600 } }),
    },
    [storageModule],
  );
  const service = storage.service(storageModule);
  const app = await createServer({
    routes: storage.modules.flatMap(({ routes }) => routes),
    authenticate: async (token) => ({
      userId: 'mara',
      email: 'mara@example.com',
      tenantId: token,
      role: 'admin',
      tenantRole: 'admin',
      plan: 'team',
      overrides: {},
    }),
    rateLimit: () => null,
    anonymous: null,
    verifyReplies: true,
    log,
    corsOrigins: [],
    trustedProxies: [],
    serviceToken: null,
    translateError,
  });
  t.after(async () => {
    await app.close();
    for (const { stop } of storage.modules) await stop?.();
    await content.close();
    await opened.close();
    rmSync(base, { recursive: true, force: true });
  });
  const ask = async (method: 'GET' | 'PUT', url: string, tenant: string, payload?: object) => {
    const headers = { authorization: `Bearer ${tenant}` };
    const reply = await app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: reply.statusCode, text: reply.body, body: reply.json() };
  };
  return {
    opened,
    folder,
    contentDir,
    dataDir,
    stores: service.stores,
    isConfigured: service.settings.isConfigured,
    put: (body, tenant = 'local') => ask('PUT', '/api/settings/storage', tenant, body),
    get: (path = '/api/settings/storage', tenant = 'local') => ask('GET', path, tenant),
    logged,
  };
}

function keepingLog(lines: string[]): Log {
  const keep = (message: string) => void lines.push(message);
  const log: Log = {
    debug: keep,
    isDebugging: true,
    info: keep,
    warn: keep,
    error: keep,
    child: () => log,
  };
  return log;
}
