import type { FastifyInstance } from 'fastify';
import type { MountedModule } from '../frame/assemble.ts';
import type { Base } from '../frame/context.ts';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import type { Contract } from '../kit/contract.ts';
import { createServer, type ServerOptions } from '../kit/http/server.ts';
import { createLifecycle, type Part } from '../kit/lifecycle.ts';
import type { Log } from '../kit/log.ts';
import { createMetrics, noMetrics } from '../kit/metrics.ts';
import { createRateLimit } from '../kit/rate-limit.ts';
import { createSecretBox } from '../kit/secret-box.ts';
import { createWorkBudget, type HoldBytes } from '../kit/work-budget.ts';
import type { Database, MigrationReport } from '../platform/database/database.ts';
import type { Migration } from '../platform/database/migration.ts';
import { openDatabase, openKeyValue } from './platform.ts';
import { translateError } from './translate-error.ts';

/** Milliseconds that running requests and imports have to finish. */
const STOP_DEADLINE_MS = 20_000;

export interface BaseOptions {
  config: Config;
  log: Log;
  clock: Clock;
}

export async function openBase({ config, log, clock }: BaseOptions): Promise<Base> {
  const database = await openDatabase(config);
  const keyValue = await openKeyValue(config);
  const rateLimit = createRateLimit({ increment: keyValue.increment, limits: config.rateLimits, clock });
  const box = createSecretBox(config.encryptionKey);
  const metrics = config.metricsToken === null ? noMetrics : await createMetrics();
  return {
    config,
    log,
    clock,
    database,
    keyValue,
    rateLimit,
    holdBytes: openBudget(config, config.workMemoryMb),
    holdUploadSpace: openBudget(
      config,
      config.uploadSpaceMb,
      'The disk has no room for more uploads at a time',
    ),
    box,
    metrics,
  };
}

const MB = 1024 * 1024;

/** With many tenants in a process, none may take all of the memory. */
function openBudget({ deployment }: Config, megabytes: number, refusal?: string): HoldBytes {
  const bytes = megabytes * MB;
  const bytesOfTenant = deployment === 'cloud' ? bytes / 2 : bytes;
  return createWorkBudget({ bytes, bytesOfTenant, ...(refusal && { refusal }) });
}

export interface Service {
  app: FastifyInstance;
  contracts: readonly Contract[];
  database: Database;
  migrated: MigrationReport;
  /** Stops accepting requests, lets running ones finish, then closes its resources. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  base: Base;
  migrations: readonly Migration[];
  modules: readonly MountedModule[];
  /** Parts that modules rely on besides the base; they stop after the modules. */
  below?: readonly Part[];
  /** Parts that rely on modules; they start before requests are served. */
  above?: readonly Part[];
  http: Pick<
    ServerOptions,
    | 'authenticate'
    | 'anonymous'
    | 'verifyReplies'
    | 'uploadFolder'
    | 'cookies'
    | 'signedAddresses'
    | 'guard'
    | 'defaultProject'
    | 'pageOfUnknown'
  >;
}

export const contractsOf = (modules: readonly MountedModule[]): Contract[] =>
  modules.flatMap(({ routes }) => routes.map(({ contract }) => contract));

/** Starts modules over a database and serves their routes. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { base, migrations, modules, below = [], above = [], http } = options;
  const { config, log, database, keyValue, rateLimit, holdBytes, holdUploadSpace } = base;
  const app = await createServer({
    ...http,
    routes: modules.flatMap(({ routes }) => routes),
    log,
    rateLimit,
    holdBytes,
    holdUploadSpace,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    serviceToken: config.serviceToken,
    metricsToken: config.metricsToken,
    metrics: base.metrics,
    translateError,
  });
  let migrated: MigrationReport = { applied: [], backup: null };
  const lifecycle = createLifecycle({
    log,
    deadlineMs: STOP_DEADLINE_MS,
    parts: [
      {
        name: 'database',
        start: async () => {
          migrated = await database.migrate(migrations);
        },
        stop: () => database.close(),
      },
      { name: 'cache', stop: () => keyValue.close() },
      ...below,
      ...modules,
      ...above,
      { name: 'http', stop: () => app.close() },
    ],
  });
  await lifecycle.start();
  return {
    app,
    contracts: contractsOf(modules),
    database,
    migrated,
    close: async () => void (await lifecycle.stop()),
  };
}
