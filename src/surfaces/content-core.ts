import type { PlanName } from '../access/plans.ts';
import { createCloudSyncModule } from '../exchange/cloud-sync/cloud-sync.module.ts';
import type { CloudSync } from '../exchange/cloud-sync/cloud-sync.ts';
import { createRealtimeModule } from '../exchange/realtime/realtime.module.ts';
import { createReplicationModule } from '../exchange/replication/replication.module.ts';
import { createWebhooksModule } from '../exchange/webhooks/webhooks.module.ts';
import type { Module } from '../frame/module.ts';
import { type Contract, DEFAULT_PROJECT } from '../kit/contract.ts';
import { unavailable } from '../kit/errors.ts';
import { removeOldUploads } from '../kit/http/forms.ts';
import type { Guard } from '../kit/http/local-guard.ts';
import type { MountOptions } from '../kit/http/mount-options.ts';
import type { Log } from '../kit/log.ts';
import type { Authenticate } from '../kit/principal.ts';
import type { SignedAddresses } from '../kit/signed-addresses.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Images } from '../platform/images/images.ts';
import { createMetadataMedia } from '../platform/media/adapters/metadata-media.ts';
import { createWasmSounds } from '../platform/media/adapters/wasm-sounds.ts';
import { cloudOpener } from '../remote/cloud-client.ts';
import { createOperationsModule } from '../service/operations/operations.module.ts';
import { createAssetQueueModule } from '../world/asset-queue/asset-queue.module.ts';
import { createAddresses } from '../world/assets/addresses.ts';
import { createAssetsModule } from '../world/assets/assets.module.ts';
import { createStorageRoom } from '../world/assets/storage-room.ts';
import { createCanonModule } from '../world/canon/canon.module.ts';
import { createChangesetsModule } from '../world/changesets/changesets.module.ts';
import type { Changesets } from '../world/changesets/changesets.service.ts';
import type { Renames } from '../world/changesets/rename.service.ts';
import { createConflictCopies } from '../world/conflicts/conflict-copies.ts';
import { createConflictFiles } from '../world/conflicts/conflict-files.ts';
import { createConflictRecords } from '../world/conflicts/conflict-records.ts';
import { createConflictsModule } from '../world/conflicts/conflicts.module.ts';
import { createEntitiesModule } from '../world/entities/entities.module.ts';
import type { Entities } from '../world/entities/entities.service.ts';
import { createReferenceChecks } from '../world/entities/reference-checks.ts';
import { createExportsModule } from '../world/exports/exports.module.ts';
import { createHistoryModule } from '../world/history/history.module.ts';
import { createImportsModule } from '../world/imports/imports.module.ts';
import type { Imports } from '../world/imports/imports.service.ts';
import { createMediaModule } from '../world/media/media.module.ts';
import { createMirrorModule, type Mirror } from '../world/mirror/mirror.module.ts';
import { createScannerClient, type ScannerThread } from '../world/mirror/scanner-client.ts';
import { createProjects, type ProjectLimits, type Projects } from '../world/projects/projects.service.ts';
import { countAllEntities } from '../world/records/counts.store.ts';
import { createReferencesModule } from '../world/references/references.module.ts';
import { createRulesModule } from '../world/rules/rules.module.ts';
import type { LocalStorage } from '../world/storage/settings.service.ts';
import { createStorageModule } from '../world/storage/storage.module.ts';
import { createTemplatesModule } from '../world/templates/templates.module.ts';
import { createTemplateRegistry, type TemplateRegistry } from '../world/templates/templates.registry.ts';
import { createUploadsModule } from '../world/uploads/uploads.module.ts';
import type { Fixes } from '../world/validation/fix.service.ts';
import { createValidationModule } from '../world/validation/validation.module.ts';
import { createAssetWorker } from './asset-worker.ts';
import { blobOpener, privateEndpointsOf } from './blobs.ts';
import { createContentStorage, type LocalFolders } from './content-storage.ts';
import { resumableFolder, uploadFolder } from './folders.ts';
import { coreMigrations } from './migrations.ts';
import { packageVersion } from './package-root.ts';
import {
  openBus,
  openContentFolder,
  openJobs,
  openThumbnailFiles,
  openWatcher,
  startScanWorker,
} from './platform.ts';
import { openReceivers } from './receivers.ts';
import { type Base, type BaseOptions, contractsOf, type Service, startService } from './service.ts';
import { createWebhookWorker, type WebhookSetup } from './webhook-worker.ts';

/** So often content is compared whose storage tells of no changes. */
const POLL_MS = 30_000;

/** Whose content a core holds and how it knows who asks: what differs between a self-hosted core and one of the cloud. */
export interface Tenancy {
  /** Modules that only this kind of core has. They start before those of content. */
  modules: readonly Module[];
  authenticate: Authenticate;
  /** The tenant and plan of requests without a token; null where every request on content needs one. */
  anonymous: MountOptions['anonymous'];
  folders: LocalFolders;
  /** Folders as storage of files; null where storage is elsewhere or nowhere. */
  localStorage: LocalStorage | null;
  /** Works on all pictures of the process, so that there is one queue of them. */
  images: Images;
  /** The plan of a tenant where no request says it, as in a sync. */
  planOf(tenantId: string): PlanName;
  /** Bytes of files that a plan allows, -1 for any number. */
  storageLimitOf(plan: PlanName): number;
  /** What people are shown as beside their changes; null for somebody who is not known here. */
  nameOf(userId: string): Promise<string | null>;
  /** Rejects while what knows people does not answer, where that is another service. */
  probeAccounts?: () => Promise<void>;
  /** Where browsers that signed in elsewhere bring their cookies. */
  cookies?: MountOptions['cookies'];
  /** Opens assets to pages without a token, where not everybody may read them. */
  signedAddresses?: SignedAddresses;
  /** For what is made of content and what comes in parts: of all cores that serve the same tenants. */
  workFolder: string;
  /** Whether the core does the jobs itself, or leaves them to processes of their own. */
  worksItself: boolean;
  /** Refuses requests before anything else looks at them. */
  guard?: Guard;
  /** The project of requests that name none; `default` unless given. */
  defaultProject?: () => string;
  /** Modules on top of those of content. A route of theirs takes the place of one below with its address. */
  above?: (content: ContentParts) => readonly Module[];
}

/** What of content modules above it may use. */
export interface ContentParts {
  projects: Projects;
  entities: Entities;
  mirror: Mirror;
  cloudSync: CloudSync;
}

export interface ContentCore extends Service {
  projects: Projects;
  templates: TemplateRegistry;
  mirror: Mirror;
  changesets: Changesets;
  renames: Renames;
  imports: Imports;
  fixes: Fixes;
  cloudSync: CloudSync;
  bus: Bus;
}

export interface CoreOptions extends BaseOptions {
  log: Log & { flush(): Promise<void> };
  /** Tests check each reply against its contract. */
  verifyReplies?: boolean;
  /** Whether folders are watched; a one-off command reads them once. */
  watch?: boolean;
  /** Whether opening a project compares its whole folder; a one-off command asks for the sync that it means. */
  sweepOnStart?: boolean;
  /** Tests keep fewer projects open, for shorter. */
  openProjects?: ProjectLimits;
  webhooks?: WebhookSetup;
  /** What walks and reads content folders: a thread, unless a test has it in its own. */
  startScanner?: () => ScannerThread;
}

/** Everything that keeps and serves content, for one tenant or many (spec 1 §1). */
export async function startContentCore(
  base: Base,
  tenancy: Tenancy,
  {
    verifyReplies = false,
    watch = true,
    sweepOnStart = true,
    openProjects,
    webhooks = {},
    startScanner = startScanWorker,
  }: CoreOptions,
): Promise<ContentCore> {
  const { config, log, clock, database, box } = base;
  const { anonymous, images } = tenancy;
  /** Elsewhere projects are opened, and compared, when they are first needed. */
  let isCompared = !anonymous || !sweepOnStart || config.readyWhen === 'serving';
  const bus = await openBus(config, log.child('events'));
  const jobs = await openJobs(config, base);
  const sending = {
    database,
    bus,
    receivers: openReceivers(config, webhooks),
    box,
    clock,
  };
  const addresses = createAddresses(tenancy.signedAddresses ?? null);
  const contentStorage = createContentStorage({ database, clock, config, box, folders: tenancy.folders });
  const projects = createProjects({
    database,
    folders: contentStorage.folders,
    clock,
    largestText: config.largestText,
    log: log.child('projects'),
    ...(openProjects && { limits: openProjects }),
  });
  const room = createStorageRoom(tenancy.storageLimitOf, clock);
  const templates = createTemplateRegistry({ clock, log: log.child('templates') });
  const conflictFiles = createConflictFiles({ log: log.child('conflicts') });
  const conflictRecords = createConflictRecords({ templates, files: conflictFiles, clock });
  const checks = createReferenceChecks({ templates, log: log.child('references') });
  const scanner = createScannerClient(startScanner);
  const entities = createEntitiesModule({
    projects,
    templates,
    bus,
    clock,
    checks,
    keepConflict: conflictRecords.keepEdit,
    nameOf: tenancy.nameOf,
    readTexts: scanner.readTexts,
  });
  const changesets = createChangesetsModule({
    projects,
    templates,
    entities: entities.entities,
    recycleBin: entities.recycleBin,
    async compareFolder(project) {
      const { error } = await mirror.mirror.sync(project, { kind: 'full' });
      if (error) throw unavailable(`The folder cannot be compared with the database: ${error.message}`);
    },
    bus,
    clock,
    log: log.child('operations'),
  });
  const conflicts = createConflictsModule({
    projects,
    entities: entities.entities,
    records: conflictRecords,
    files: conflictFiles,
    clock,
  });
  const imports = createImportsModule({
    projects,
    templates,
    entities: entities.entities,
    changesets: changesets.changesets,
    room,
    clock,
  });
  const validation = createValidationModule({
    projects,
    registry: templates,
    changesets: changesets.changesets,
    clock,
    log: log.child('validation'),
  });
  const mirror = createMirrorModule({
    projects,
    templates,
    entities: entities.entities,
    bus,
    clock,
    log: log.child('mirror'),
    scanner,
    createWatcher: (project) =>
      watch
        ? openWatcher(project, {
            pollMs: Math.min(POLL_MS, config.sweepIntervalMs),
            onMoved: (listener) => contentStorage.places.onMoved(project.tenantId, listener),
          })
        : null,
    sweepIntervalMs: watch ? config.sweepIntervalMs : null,
    sweepOnStart,
    planOf: tenancy.planOf,
    noteConflictCopy: createConflictCopies({ templates, records: conflictRecords }),
    checks,
    recovered: (project) => changesets.changesets.recovered(project),
  });
  mirror.mirror.onSynced((project) =>
    conflictFiles.afterSync(project, mirror.mirror.status(project).last_full_sync_at),
  );
  const storage = createStorageModule({
    database,
    clock,
    log: log.child('storage'),
    places: contentStorage.places,
    sealed: contentStorage.sealed,
    contentAt: contentStorage.contentAt,
    local: tenancy.localStorage,
    openBlobs: blobOpener(config),
  });
  const assets = createAssetsModule({
    projects,
    templates,
    entities: entities.entities,
    recycleBin: entities.recycleBin,
    mirror: mirror.mirror,
    images,
    jobs,
    addresses,
    room,
    clock,
    log: log.child('assets'),
  });
  const media = createMediaModule({
    projects,
    assets: assets.assets,
    addresses,
    mirror: mirror.mirror,
    images,
    sounds: createWasmSounds(),
    database,
    files: await openThumbnailFiles(tenancy.workFolder),
    holdBytes: base.holdBytes,
    clock,
    log: log.child('media'),
  });
  const cloudSync = createCloudSyncModule({
    projects,
    templates,
    entities: entities.entities,
    writeMany: entities.writeMany,
    moveMany: entities.moveMany,
    recycleBin: entities.recycleBin,
    mirror: mirror.mirror,
    database,
    bus,
    clock,
    log: log.child('cloud sync'),
    config,
    box,
    openCloud: cloudOpener(privateEndpointsOf(config)),
    planOf: tenancy.planOf,
  });
  const uploads = createUploadsModule({
    projects,
    assets: assets.assets,
    uploads: assets.uploads,
    stores: storage.stores,
    database,
    mirror: mirror.mirror,
    folder: resumableFolder(tenancy.workFolder),
    clock,
    log: log.child('uploads'),
  });
  const content: Module[] = [
    ...tenancy.modules,
    storage,
    createTemplatesModule({
      projects,
      registry: templates,
      database,
      clock,
      isStorageConfigured: storage.isConfigured,
    }),
    createRulesModule({ projects, registry: templates, clock }),
    entities,
    createReferencesModule({ projects, templates, entities: entities.entities }),
    changesets,
    createExportsModule({ projects }),
    createHistoryModule({
      projects,
      templates,
      clock,
      log: log.child('history'),
      limits: { versions: config.historyKeepVersions, days: config.historyKeepDays },
      pinned: changesets.changesets.neededVersions,
    }),
    conflicts,
    imports,
    validation,
    createCanonModule({ projects, registry: templates, clock, log: log.child('canon') }),
    mirror,
    assets,
    media,
    uploads,
    createAssetQueueModule({ projects, jobs, rescans: assets.rescans, clock }),
    createRealtimeModule({
      projects,
      bus,
      keyValue: base.keyValue,
      authenticate: tenancy.authenticate,
      log: log.child('realtime'),
      accessCookie: tenancy.cookies?.accessToken,
      clock,
      nameOf: tenancy.nameOf,
      defaultProject: tenancy.defaultProject,
    }),
    createWebhooksModule({ ...sending, projects }),
    createReplicationModule({
      projects,
      templates,
      entities: entities.entities,
      recycleBin: entities.recycleBin,
      writeMany: entities.writeMany,
      moveMany: entities.moveMany,
      conflicts: conflictRecords,
      resolve: conflicts.resolve,
      mirror: mirror.mirror,
      assets: assets.assets,
      assetBin: assets.bin,
      batches: uploads.batches,
      room,
      clock,
    }),
    cloudSync,
    createOperationsModule({
      metrics: base.metrics,
      contracts: () => contractsOf(modules),
      probes: {
        ...probesOf(base),
        accounts: tenancy.probeAccounts,
        events: config.redisUrl === null ? undefined : bus.probe,
      },
      isCompared: () => isCompared,
      countEntities: () =>
        anonymous ? database.system.read(countAllEntities) : database.probe().then(() => 0),
      entityTypes: () => (anonymous ? entityTypesOf(projects, templates) : []),
      version: packageVersion(),
    }),
  ];
  const above =
    tenancy.above?.({
      projects,
      entities: entities.entities,
      mirror: mirror.mirror,
      cloudSync: cloudSync.sync,
    }) ?? [];
  const modules = [...withoutReplaced(content, above), ...above];
  const service = await startService({
    base,
    migrations: coreMigrations,
    modules,
    below: [
      { name: 'events', stop: () => bus.idle().then(bus.close) },
      { name: 'receivers', stop: async () => sending.receivers.close() },
      { name: 'jobs', stop: jobs.close },
      { name: 'content', stop: contentStorage.close },
      { name: 'uploads', start: () => removeOldUploads(uploadFolder(config.dataDir), clock.now()) },
    ],
    above: [
      {
        name: 'projects',
        async start() {
          await projects.start();
          if (!anonymous) return;
          mirror.mirror.onSynced(async (project) => {
            const isOwn = project.projectId === DEFAULT_PROJECT;
            isCompared ||= isOwn && mirror.mirror.status(project).last_full_sync_at !== null;
          });
          await projects.open(anonymous.tenantId, DEFAULT_PROJECT);
        },
        stop: projects.stop,
      },
      // One job at a time: requests come first.
      ...(tenancy.worksItself
        ? [
            createAssetWorker({
              jobs,
              projects,
              images,
              media: createMetadataMedia(),
              bus,
              clock,
              log,
              atOnce: 1,
            }),
            ...createWebhookWorker({ ...sending, ...webhooks, jobs, log }),
          ]
        : []),
    ],
    http: {
      authenticate: tenancy.authenticate,
      anonymous,
      ...(tenancy.guard && { guard: tenancy.guard }),
      ...(tenancy.defaultProject && { defaultProject: tenancy.defaultProject }),
      ...(tenancy.cookies && { cookies: tenancy.cookies }),
      ...(tenancy.signedAddresses && { signedAddresses: tenancy.signedAddresses }),
      verifyReplies,
      uploadFolder: uploadFolder(config.dataDir),
    },
  });
  return {
    ...service,
    projects,
    templates,
    mirror: mirror.mirror,
    changesets: changesets.changesets,
    renames: changesets.renames,
    imports: imports.imports,
    fixes: validation.fixes,
    cloudSync: cloudSync.sync,
    bus,
  };
}

/** The modules, less the routes that those above have as well: the specification gives both surfaces some addresses. */
function withoutReplaced(modules: readonly Module[], above: readonly Module[]): Module[] {
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

function probesOf({ config, database, keyValue }: Base) {
  const content = openContentFolder(config);
  return {
    database: () => database.probe(),
    storage: () => content.probe(),
    cache: () => keyValue.ping(),
  };
}
