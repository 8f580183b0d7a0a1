import { availableParallelism } from 'node:os';
import { assemble, type MountedModule, workersOf } from '../frame/assemble.ts';
import { unauthorized } from '../kit/errors.ts';
import { createSharpImages } from '../platform/images/adapters/sharp-images.ts';
import { createCreditsClient } from '../remote/credits-client.ts';
import { createStatusModule } from '../service/operations/index.ts';
import { modelsModule } from '../world/models/index.ts';
import { projectsModule } from '../world/projects/index.ts';
import { coreMigrations, jobModules } from './core-modules.ts';
import { packageVersion } from './package-root.ts';
import { openContentFolder, openTenantFolders } from './platform.ts';
import type { WebhookSetup } from './receivers.ts';
import { type BaseOptions, contractsOf, openBase, type Service, startService } from './service.ts';
import { openWorkContext, workParts } from './work-context.ts';

const MOST_AT_ONCE = 4;

const ABOUT = {
  title: 'Canonry worker',
  description: 'Does what the cores of an installation leave for later. It has no routes but these.',
};

export interface WorkerSurfaceOptions extends BaseOptions {
  verifyReplies?: boolean;
  webhooks?: WebhookSetup;
}

/** A worker of the cloud: it works on the jobs that cores queue, beside other workers. */
export async function createWorkerSurface(options: WorkerSurfaceOptions): Promise<Service> {
  const { config, verifyReplies = false, webhooks } = options;
  const base = await openBase(options);
  const { database, keyValue } = base;
  const folders = await openTenantFolders(config);
  const { accountsUrl, serviceToken } = config;
  if (accountsUrl === null || serviceToken === null)
    throw new Error('a worker needs ACCOUNTS_URL and SERVICE_TOKEN');
  const credits = createCreditsClient({ url: accountsUrl, serviceToken });
  const context = {
    ...(await openWorkContext(base, { folders, credits, webhooks, verifyReplies })),
    images: createSharpImages(),
    assetJobsAtOnce: Math.min(availableParallelism(), MOST_AT_ONCE),
  };
  const folder = openContentFolder(config);
  const content = assemble(context, [projectsModule, modelsModule]);
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
    below: workParts(context),
    above: [
      { name: 'projects', start: projects.start, stop: projects.stop },
      ...workersOf(work, context.jobs),
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
