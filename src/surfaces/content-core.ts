import { agentsModule } from '../exchange/agents/index.ts';
import { cloudSyncModule } from '../exchange/cloud/index.ts';
import {
  type Assembled,
  assemble,
  type MountedModule,
  NOTHING,
  withoutJobs,
  workersOf,
} from '../frame/assemble.ts';
import type { Base } from '../frame/context.ts';
import type { ServiceOf } from '../frame/module.ts';
import { type Contract, DEFAULT_PROJECT } from '../kit/contract.ts';
import type { Guard } from '../kit/http/local-guard.ts';
import type { MountOptions } from '../kit/http/mount-options.ts';
import { createPluginHosts, withPluginHosts } from '../kit/http/plugin-hosts.ts';
import { createRouteCalls } from '../kit/http/route-calls.ts';
import type { Part } from '../kit/lifecycle.ts';
import type { Log } from '../kit/log.ts';
import { removeOldUploads } from '../kit/upload-folders.ts';
import { createOperationsModule } from '../service/operations/index.ts';
import { createStudio, createStudioModule, openStudioFiles } from '../service/studio/index.ts';
import { changesetsModule } from '../world/changesets/index.ts';
import { type TemplateRegistry, templatesModule } from '../world/definitions/index.ts';
import { entitiesModule } from '../world/entities/index.ts';
import { importsModule } from '../world/imports/index.ts';
import { mirrorModule } from '../world/mirror/index.ts';
import { modelsModule } from '../world/models/index.ts';
import { type Projects, projectsModule } from '../world/projects/index.ts';
import { proposalsModule } from '../world/proposals/index.ts';
import { countAllEntities, countTenantEntities, type RecordsDb } from '../world/records/index.ts';
import { validationModule } from '../world/validation/index.ts';
import { aiProbe } from './ai-probe.ts';
import { type ContentContext, type CoreSetup, openCoreContext, type Tenancy } from './core-context.ts';
import {
  callingModules,
  contentModules,
  coreJobModules,
  coreMigrations,
  jobModules,
} from './core-modules.ts';
import type { Installation } from './installation.ts';
import { withMoneyEffects } from './money-effects.ts';
import { studioFolder } from './package-root.ts';
import { openContentFolder } from './platform.ts';
import { type BaseOptions, contractsOf, type Service, startService } from './service.ts';
import { translateError } from './translate-error.ts';
import { workParts } from './work-context.ts';

/** The differences between kinds of cores. */
export interface CoreKind extends Tenancy {
  /** Modules for people; they start before the content modules. */
  people: Pick<Assembled, 'modules' | 'tags'>;
  /** Tenant and plan of requests without a token; null where every request on content needs one. */
  anonymous: MountOptions['anonymous'];
  /** Rejects while a separate accounts service does not answer. */
  probeAccounts?: () => Promise<void>;
  /** True if the core works on jobs itself, false if worker processes do. */
  worksItself: boolean;
  guard?: Guard;
  installation(): Promise<Installation>;
  /** Adds modules above the content modules. Their routes replace content routes with the same address. */
  above?: (context: ContentContext, content: Assembled) => Assembled;
}

/** The services that commands and tests use directly. */
const partsOf = ({ service }: Assembled) => ({
  projects: service(projectsModule),
  templates: service(templatesModule),
  mirror: service(mirrorModule),
  ...service(changesetsModule),
  ...service(entitiesModule),
  imports: service(importsModule),
  models: service(modelsModule),
  fixes: service(validationModule).fixes,
  ...service(proposalsModule),
  cloudSync: service(cloudSyncModule),
});

export type ContentCore = Service &
  ReturnType<typeof partsOf> &
  Pick<ContentContext, 'bus'> & { agents: ServiceOf<typeof agentsModule> };

export interface CoreOptions extends BaseOptions, CoreSetup {
  log: Log & { flush(): Promise<void> };
}

/** Everything that keeps and serves content, for one tenant or many (spec 1 §1). */
export async function startContentCore(
  base: Base,
  kind: CoreKind,
  options: CoreOptions,
): Promise<ContentCore> {
  const { config, clock, database } = base;
  const context = await openCoreContext(base, kind, options);
  const { bus, jobs } = context;
  const content = assemble(context, contentModules);
  const calling = assembleCalling(context, content);
  const above = kind.above?.(context, content) ?? NOTHING;
  const parts = partsOf(content);
  const people = withMoneyEffects(kind.people.modules, {
    bus,
    clock,
    countEntities: (tenantId) => database.system.read((db: RecordsDb) => countTenantEntities(db, tenantId)),
  });
  const { pluginOrigins, version } = context;
  const studio = createStudio({
    files: await openStudioFiles(options.studioFolder ?? studioFolder()),
    framesOf: (origin) => pluginOrigins.framesFor(origin),
  });
  const modules: MountedModule[] = [
    ...people,
    ...withoutReplaced(withoutJobs(content), above.modules),
    ...withoutJobs(calling),
    createOperationsModule({
      ...operationsOf(context, kind, parts, options.sweepOnStart),
      contracts: () => contractsOf(modules),
      tags: { ...content.tags, ...calling.tags, ...kind.people.tags, ...above.tags },
    }),
    createStudioModule(studio, {
      sessionCookie: kind.cookies?.accessToken ?? null,
      pluginOriginFor: (origin) => pluginOrigins.patternFor(origin) ?? pluginOrigins.shared,
      config: async () => ({
        ...(await kind.installation()),
        ai: config.ai,
        version,
      }),
    }),
    ...withoutJobs(above),
  ];
  const work = kind.worksItself ? assemble(context, jobModules, content) : NOTHING;
  const coreWork = assemble(context, coreJobModules, content);
  const service = await startService({
    base,
    migrations: coreMigrations,
    modules,
    below: [
      ...workParts(context),
      { name: 'downloads', stop: async () => context.downloads.close() },
      { name: 'drives', stop: async () => context.openDrive.close() },
      { name: 'guests', stop: () => context.guests.close() },
      { name: 'uploads', start: () => removeOldUploads(context.uploadFolder, clock.now()) },
    ],
    above: [
      openingOf(parts.projects, kind.anonymous),
      ...[work, coreWork].flatMap((own) => [...workersOf(own, jobs), ...own.modules]),
    ],
    http: {
      ...httpOf(kind),
      guard: withPluginHosts(createPluginHosts(config.pluginOrigin), kind.guard),
      pageOfUnknown: studio.pageOfUnknown,
      verifyReplies: options.verifyReplies ?? false,
      uploadFolder: context.uploadFolder,
    },
  });
  return { ...service, ...parts, bus, agents: calling.service(agentsModule) };
}

function assembleCalling(context: ContentContext, content: Assembled): Assembled {
  const routes = content.modules.flatMap((module) => module.routes);
  const callRoute = createRouteCalls({ routes, holdBytes: context.holdBytes, translateError });
  return assemble({ ...context, callRoute }, callingModules, content);
}

/** Projects open only after every module that keeps per-project state is attached. */
const openingOf = (projects: Projects, anonymous: CoreKind['anonymous']): Part => ({
  name: 'projects',
  async start() {
    await projects.start();
    if (anonymous) await projects.open(anonymous.tenantId, DEFAULT_PROJECT);
  },
  stop: projects.stop,
});

function operationsOf(
  { config, database, keyValue, metrics, bus, llms, version }: ContentContext,
  { anonymous, probeAccounts }: CoreKind,
  { projects, templates, mirror }: ReturnType<typeof partsOf>,
  sweepOnStart = true,
) {
  const folder = openContentFolder(config);
  // With many tenants, projects are opened and compared when they are first needed.
  let isCompared = !anonymous || !sweepOnStart || config.readyWhen === 'serving';
  mirror.onSynced(async (project) => {
    const isOwn = project.projectId === DEFAULT_PROJECT;
    isCompared ||= isOwn && mirror.status(project).last_full_sync_at !== null;
  });
  return {
    metrics,
    probes: {
      database: () => database.probe(),
      storage: () => folder.probe(),
      cache: () => keyValue.ping(),
      accounts: probeAccounts,
      ai: aiProbe(config, llms),
      events: config.redisUrl === null ? undefined : bus.probe,
    },
    keepsVectors: config.ai,
    isCompared: () => isCompared,
    countEntities: () =>
      anonymous ? database.system.read(countAllEntities) : database.probe().then(() => 0),
    entityTypes: () => (anonymous ? entityTypesOf(projects, templates) : []),
    version,
  };
}

const httpOf = ({ authenticate, anonymous, defaultProject, cookies, signedAddresses }: CoreKind) => ({
  authenticate,
  anonymous,
  ...(defaultProject && { defaultProject }),
  ...(cookies && { cookies }),
  ...(signedAddresses && { signedAddresses }),
});

/** Leaves out routes that modules above replace: the specification gives some addresses to both surfaces. */
function withoutReplaced(
  modules: readonly MountedModule[],
  above: readonly MountedModule[],
): MountedModule[] {
  const addressOf = ({ method, path }: Contract) => `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`;
  const taken = new Set(contractsOf(above).map(addressOf));
  return modules.map((module) => ({
    ...module,
    routes: module.routes.filter(({ contract }) => !taken.has(addressOf(contract))),
  }));
}

function entityTypesOf(projects: Projects, templates: TemplateRegistry): string[] {
  const [project] = projects.opened();
  return [...((project && templates.current(project))?.types.keys() ?? [])];
}
