import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import { type Contract, DEFAULT_PROJECT } from '../kit/contract.ts';
import { createServer } from '../kit/http/server.ts';
import { createLifecycle } from '../kit/lifecycle.ts';
import { createLogFiles } from '../kit/log/index.ts';
import type { Log } from '../kit/log.ts';
import { createRateLimit } from '../kit/rate-limit.ts';
import { createAuthModule } from '../modules/auth/auth.module.ts';
import { createEntitiesModule } from '../modules/entities/entities.module.ts';
import { createMirrorModule, type Mirror } from '../modules/mirror/mirror.module.ts';
import type { Module } from '../modules/module.ts';
import { createOperationsModule } from '../modules/operations/operations.module.ts';
import { createProjects, type Projects } from '../modules/projects/projects.service.ts';
import { countAllEntities } from '../modules/records/counts.store.ts';
import { createTemplatesModule } from '../modules/templates/templates.module.ts';
import { createTemplateRegistry, type TemplateRegistry } from '../modules/templates/templates.registry.ts';
import type { PasswordOptions } from '../modules/users/passwords.ts';
import { LOCAL_TENANT } from '../modules/users/tenant.ts';
import type { Users } from '../modules/users/users.service.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Database, MigrationReport } from '../platform/database/database.ts';
import type { KeyValue } from '../platform/kv/kv.ts';
import { logFolder } from './folders.ts';
import { coreMigrations } from './migrations.ts';
import { packageVersion } from './package-root.ts';
import {
  openBus,
  openDatabase,
  openKeyValue,
  openProjectFolders,
  openWatcher,
  startScanWorker,
} from './platform.ts';
import { translateError } from './translate-error.ts';

/** Running requests and imports may take this long to finish. */
const STOP_DEADLINE_MS = 20_000;

export interface Core {
  app: FastifyInstance;
  contracts: readonly Contract[];
  projects: Projects;
  templates: TemplateRegistry;
  mirror: Mirror;
  database: Database;
  bus: Bus;
  users: Users;
  migrated: MigrationReport;
  /** Stops taking requests, lets running ones finish, then closes what they used. */
  close(): Promise<void>;
}

export interface CoreOptions {
  config: Config;
  log: Log & { flush(): Promise<void> };
  clock: Clock;
  /** Tests check each reply against its contract. */
  verifyReplies?: boolean;
  /** Whether folders are watched; a one-off command reads them once. */
  watch?: boolean;
  /** Whether opening a project compares its whole folder; a one-off command asks for the sync that it means. */
  sweepOnStart?: boolean;
  /** Tests hash passwords cheaply. */
  passwordOptions?: PasswordOptions;
}

/** The self-hosted core: everything a single tenant needs in one process (spec 1 §1). */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { config, log, clock, verifyReplies = false, watch = true, sweepOnStart = true } = options;
  const database = await openDatabase(config);
  const keyValue = await openKeyValue(config);
  const bus = openBus(log.child('events'));
  const projects = createProjects({ database, folders: openProjectFolders(config), clock });
  const templates = createTemplateRegistry({ clock, log: log.child('templates') });
  const rateLimit = createRateLimit({ increment: keyValue.increment, limits: config.rateLimits, clock });
  const auth = createAuthModule({
    database,
    clock,
    config,
    log,
    rateLimit,
    ...(options.passwordOptions && { passwordOptions: options.passwordOptions }),
  });
  const entities = createEntitiesModule({ projects, templates, bus, clock });
  const mirror = createMirrorModule({
    projects,
    templates,
    entities: entities.entities,
    bus,
    clock,
    log: log.child('mirror'),
    startScanner: startScanWorker,
    createWatcher: (project) => (watch ? openWatcher(project.files) : null),
    sweepIntervalMs: watch ? config.sweepIntervalMs : null,
    sweepOnStart,
    plan: config.localPlan,
  });
  const modules: Module[] = [
    auth,
    createTemplatesModule({ projects, registry: templates, database, clock }),
    entities,
    mirror,
    createOperationsModule({
      contracts: () => contracts,
      probes: probesOf(database, projects, keyValue),
      logFiles: createLogFiles({ folder: logFolder(config.dataDir), flush: log.flush }),
      countEntities: () => database.system.read(countAllEntities),
      entityTypes: () => entityTypesOf(projects, templates),
      version: packageVersion(),
    }),
  ];
  const routes = modules.flatMap((module) => module.routes);
  const contracts = routes.map((route) => route.contract);
  const app = await createServer({
    routes,
    log,
    authenticate: auth.authenticate,
    rateLimit,
    anonymous: { tenantId: LOCAL_TENANT, plan: config.localPlan },
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    verifyReplies,
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
          migrated = await database.migrate(coreMigrations);
        },
        stop: () => database.close(),
      },
      { name: 'cache', stop: () => keyValue.close() },
      { name: 'events', stop: () => bus.idle() },
      ...modules,
      { name: 'projects', start: async () => void (await projects.open(LOCAL_TENANT, DEFAULT_PROJECT)) },
      { name: 'http', stop: () => app.close() },
    ],
  });
  await lifecycle.start();
  return {
    app,
    contracts,
    projects,
    templates,
    mirror: mirror.mirror,
    database,
    bus,
    users: auth.users,
    migrated,
    close: async () => void (await lifecycle.stop()),
  };
}

const entityTypesOf = (projects: Projects, templates: TemplateRegistry): string[] => {
  const [project] = projects.opened();
  return [...((project && templates.current(project))?.types.keys() ?? [])];
};

const probesOf = (database: Database, projects: Projects, keyValue: KeyValue) => ({
  database: () => database.probe(),
  storage: async () => projects.opened()[0]?.files.probe(),
  cache: () => keyValue.ping(),
});
