import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kit/clock.ts';
import { loadConfig } from '../../src/kit/config/index.ts';
import { silentLog } from '../../src/kit/log.ts';
import type { Service } from '../../src/surfaces/service.ts';
import { createWorkerSurface } from '../../src/surfaces/worker.surface.ts';
import { openTestSqlite } from './databases.ts';
import { NOBODY } from './edge.ts';

/** In this process, over an empty database. */
export async function startWorker(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'worker-'));
  const opened = await openTestSqlite();
  const { config } = loadConfig({
    mode: 'cli',
    surface: 'core',
    env: {
      DATA_DIR: folder,
      DATABASE_URL: opened.url,
      ACCOUNTS_URL: NOBODY,
      SERVICE_TOKEN: 'a service token of tests that is long enough',
    },
  });
  const service = await createWorkerSurface({
    config,
    log: silentLog,
    clock: systemClock,
    verifyReplies: true,
  });
  return {
    ...service,
    async close() {
      await service.close();
      await opened.close();
      rmSync(folder, { recursive: true });
    },
  };
}
