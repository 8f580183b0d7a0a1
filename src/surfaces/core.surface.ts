import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import type { Contract } from '../kit/contract.ts';
import { createServer } from '../kit/http/server.ts';
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
import { recordMigrations } from '../modules/records/records.tables.ts';
import { createTemplatesModule } from '../modules/templates/templates.module.ts';
import { createTemplateRegistry, type TemplateRegistry } from '../modules/templates/templates.registry.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Database, MigrationReport } from '../platform/database/database.ts';
import type { KeyValue } from '../platform/kv/kv.ts';
import { logFolder } from './folders.ts';
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

/** The one tenant of a self-hosted core. */
export const LOCAL_TENANT = 'local';
const DEFAULT_PROJECT = 'default';

export interface Core {
  app: FastifyInstance;
  contracts: readonly Contract[];
  projects: Projects;
  templates: TemplateRegistry;
  mirror: Mirror;
  database: Database;
  bus: Bus;
  migrated: MigrationReport;
  /** Stops taking requests, lets running ones finish, then closes what they used. */
  close(): Promise<void>;
}

export interface CoreOptions {
  config: Config;
  log: Log;
  clock: Clock;
  /** Tests check each reply against its contract. */
  verifyReplies?: boolean;
  /** Whether folders are watched; a one-off command reads them once. */
  watch?: boolean;
}

/** The self-hosted core: everything a single tenant needs in one process (spec 1 §1). */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { config, log, clock, verifyReplies = false, watch = true } = options;
  const database = await openDatabase(config);
  const keyValue = await openKeyValue(config);
  const bus = openBus(log.child('events'));
  const projects = createProjects({ database, folders: openProjectFolders(config), clock });
  const templates = createTemplateRegistry({ clock, log: log.child('templates') });
  const rateLimit = createRateLimit({ increment: keyValue.increment, limits: config.rateLimits, clock });
  const auth = createAuthModule({ database, clock, config, log: log.child('auth'), rateLimit });
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
    plan: config.localPlan,
  });
  const modules: Module[] = [
    auth,
    createTemplatesModule({ projects, registry: templates, database, clock, log }),
    entities,
    mirror,
    createOperationsModule({
      contracts: () => contracts,
      probes: probesOf(database, projects, keyValue),
      logFiles: createLogFiles({ folder: logFolder(config.dataDir) }),
      countEntities: () => database.system.read(countAllEntities),
      entityTypes: () => entityTypesOf(projects, templates),
      version: packageVersion(),
    }),
  ];
  const routes = modules.flatMap((module) => module.routes);
  const contracts = routes.map((route) => route.contract);
  const migrated = await database.migrate([
    ...recordMigrations,
    ...modules.flatMap((module) => module.migrations ?? []),
  ]);
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
  const started = await startAll(modules);
  await projects.open(LOCAL_TENANT, DEFAULT_PROJECT);
  return {
    app,
    contracts,
    projects,
    templates,
    mirror: mirror.mirror,
    database,
    bus,
    migrated,
    async close() {
      await app.close();
      for (const module of started.toReversed()) await module.stop?.();
      await bus.idle();
      await keyValue.close();
      await database.close();
    },
  };
}

async function startAll(modules: readonly Module[]): Promise<Module[]> {
  const started: Module[] = [];
  for (const module of modules) {
    await module.start?.();
    started.push(module);
  }
  return started;
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
