import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Config } from '../kit/config/index.ts';
import { DEFAULT_PROJECT } from '../kit/contract.ts';
import { messageOf } from '../kit/errors.ts';
import type { Log } from '../kit/log.ts';
import type { ProjectFolders } from '../modules/projects/projects.service.ts';
import { createInProcessBus } from '../platform/bus/adapters/in-process-bus.ts';
import type { Database } from '../platform/database/database.ts';
import { createLocalFiles } from '../platform/files/adapters/local-files.ts';
import type { FileStore } from '../platform/files/files.ts';
import { createMemoryKeyValue } from '../platform/kv/adapters/memory-kv.ts';
import type { KeyValue } from '../platform/kv/kv.ts';
import { createParcelWatcher } from '../platform/watcher/adapters/parcel-watcher.ts';
import type { Watcher } from '../platform/watcher/watcher.ts';
import { projectFolder } from './folders.ts';
import { fillContentFolder } from './starter.ts';

/** The adapters that the settings ask for. Drivers are loaded when they are needed. */
export async function openDatabase(config: Pick<Config, 'databaseUrl'>): Promise<Database> {
  const { databaseUrl } = config;
  if (databaseUrl.kind === 'sqlite') {
    await mkdir(dirname(databaseUrl.path), { recursive: true });
    const { openSqlite } = await import('../platform/database/adapters/sqlite-database.ts');
    return openSqlite(databaseUrl.path);
  }
  const { openPostgres } = await import('../platform/database/adapters/postgres-database.ts');
  return openPostgres(databaseUrl.url);
}

export async function openKeyValue(config: Pick<Config, 'redisUrl'>): Promise<KeyValue> {
  if (config.redisUrl === null) return createMemoryKeyValue();
  const { createRedisKeyValue } = await import('../platform/kv/adapters/redis-kv.ts');
  return createRedisKeyValue({ url: config.redisUrl, prefix: 'canonry:' });
}

export const openBus = (log: Log) =>
  createInProcessBus({
    onError: (error, _tenantId, type) => log.error(`a listener to ${type} failed: ${messageOf(error)}`),
  });

export function openProjectFolders(config: Pick<Config, 'dataDir' | 'contentDir'>): ProjectFolders {
  const folderOf = (projectId: string) => projectFolder(config, projectId);
  return {
    async open(_tenantId, projectId) {
      const files = createLocalFiles({ root: folderOf(projectId) });
      if (projectId === DEFAULT_PROJECT) return files;
      return files.probe().then(
        () => files,
        () => null,
      );
    },
    async create(_tenantId, projectId) {
      await fillContentFolder(folderOf(projectId), { sample: false });
      return createLocalFiles({ root: folderOf(projectId) });
    },
  };
}

/** The thread that walks and reads content folders. */
export const startScanWorker = (): Worker =>
  new Worker(new URL('./scan.worker.ts', import.meta.url), {
    // What it reads lives shortly: a small nursery keeps the thread small and costs it no time.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });

export function openWatcher(files: FileStore): Watcher | null {
  const place = files.describe();
  return place.kind === 'local' ? createParcelWatcher({ root: place.root }) : null;
}
