import { availableParallelism } from 'node:os';
import { assemble, type MountedModule, workersOf } from '../frame/assemble.ts';
import { unauthorized } from '../kit/errors.ts';
import { createSharpImages } from '../platform/images/adapters/sharp-images.ts';
import { createMetadataMedia } from '../platform/media/adapters/metadata-media.ts';
import { createStatusModule } from '../service/operations/index.ts';
import { projectsModule } from '../world/projects/index.ts';
import { createContentStorage } from './content-storage.ts';
import { coreMigrations, jobModules } from './core-modules.ts';
import { packageVersion } from './package-root.ts';
import { openBus, openContentFolder, openJobs, openTenantFolders } from './platform.ts';
import { openReceivers, type WebhookSetup } from './receivers.ts';
import { type BaseOptions, contractsOf, openBase, type Service, startService } from './service.ts';

const MOST_AT_ONCE = 4;

const ABOUT = {
  title: 'Canonry worker',
  description: 'Does what the cores of an installation leave for later. It has no routes but these.',
};

export interface WorkerSurfaceOptions extends BaseOptions {
  /** Tests check each reply against its contract. */
  verifyReplies?: boolean;
  webhooks?: WebhookSetup;
}

/** A worker of the cloud: does the jobs that cores ask for, beside others like it. */
export async function createWorkerSurface(options: WorkerSurfaceOptions): Promise<Service> {
  const { config, log, clock, verifyReplies = false, webhooks = {} } = options;
  const base = await openBase(options);
  const { database, keyValue, box } = base;
  const bus = await openBus(config, log.child('events'), { verify: verifyReplies });
  const jobs = await openJobs(config, base);
  const folders = await openTenantFolders(config);
  const storage = createContentStorage({ database, clock, config, box, folders });
  const folder = openContentFolder(config);
  const receivers = openReceivers(config, webhooks);
  const context = {
    ...base,
    bus,
    jobs,
    receivers,
    lookForWebhooksMs: webhooks.everyMs,
    folders: storage.folders,
    images: createSharpImages(),
    media: createMetadataMedia(),
    assetJobsAtOnce: Math.min(availableParallelism(), MOST_AT_ONCE),
  };
  const content = assemble(context, [projectsModule]);
  const projects = content.service(projectsModule);
  const work = assemble(context, jobModules, content);
  const modules: MountedModule[] = [
    createStatusModule({
      metrics: base.metrics,
      contracts: () => contractsOf(modules),
      tags: {},
      probes: {
        database: () => database.probe(),
        storage: () => folder.probe(),
        cache: () => keyValue.ping(),
      },
      version: packageVersion(),
      about: ABOUT,
    }),
  ];
  return startService({
    base,
    migrations: coreMigrations,
    modules,
    below: [
      { name: 'events', stop: () => bus.idle().then(bus.close) },
      { name: 'receivers', stop: async () => receivers.close() },
      { name: 'jobs', stop: jobs.close },
      { name: 'content', stop: storage.close },
    ],
    above: [
      { name: 'projects', start: projects.start, stop: projects.stop },
      ...workersOf(work, jobs),
      ...work.modules,
    ],
    http: {
      authenticate: () => {
        throw unauthorized('A worker has no route that takes a token');
      },
      anonymous: null,
      verifyReplies,
    },
  });
}
