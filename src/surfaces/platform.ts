import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import { DEFAULT_PROJECT } from '../kit/contract.ts';
import { messageOf } from '../kit/errors.ts';
import type { Log } from '../kit/log.ts';
import { createInProcessBus, type InProcessBusOptions } from '../platform/bus/adapters/in-process-bus.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Database } from '../platform/database/database.ts';
import { createLocalFiles } from '../platform/files/adapters/local-files.ts';
import type { FileStore } from '../platform/files/files.ts';
import { createSqlJobs } from '../platform/jobs/adapters/sql-jobs.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { createMemoryKeyValue } from '../platform/kv/adapters/memory-kv.ts';
import type { KeyValue } from '../platform/kv/kv.ts';
import { createOutboxMailer } from '../platform/mail/adapters/outbox-mail.ts';
import { createSmtpMailer } from '../platform/mail/adapters/smtp-mail.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import type { OAuthProvider } from '../platform/oauth/oauth.ts';
import { createParcelWatcher } from '../platform/watcher/adapters/parcel-watcher.ts';
import { createPollingWatcher } from '../platform/watcher/adapters/polling-watcher.ts';
import { createPlacedWatcher } from '../platform/watcher/placed-watcher.ts';
import type { Watcher } from '../platform/watcher/watcher.ts';
import type { Beginning } from '../world/projects/index.ts';
import type { Project } from '../world/records/index.ts';
import type { LocalFolders } from './content-storage.ts';
import {
  avatarFolder,
  outboxFolder,
  projectFolder,
  projectIdsIn,
  projectsFolder,
  tenantFolder,
  thumbnailFolder,
} from './folders.ts';
import { fillContentFolder } from './starter.ts';

/** Opens the adapter that the settings name. Drivers are loaded on demand. */
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

/** Carries events to the listeners of this process and, with Redis, to those of others. */
export async function openBus(
  { redisUrl }: Pick<Config, 'redisUrl'>,
  log: Log,
  { verify }: { verify: boolean },
): Promise<Bus> {
  const onError: InProcessBusOptions['onError'] = (error, _origin, type) =>
    log.error(`a listener to ${type} failed: ${messageOf(error)}`);
  if (redisUrl === null) return createInProcessBus({ onError, verify });
  const { createRedisBus } = await import('../platform/bus/adapters/redis-bus.ts');
  return createRedisBus({ url: redisUrl, onError, verify, onRefused: log.warn });
}

/** The queue of background jobs; in the cloud, Redis wakes the workers. */
export async function openJobs(
  { deployment, redisUrl }: Pick<Config, 'deployment' | 'redisUrl'>,
  { database, clock }: { database: Database; clock: Clock },
): Promise<Jobs> {
  const jobs = createSqlJobs({ database, clock });
  if (deployment !== 'cloud' || redisUrl === null) return jobs;
  const { createBullJobs } = await import('../platform/jobs/adapters/bull-jobs.ts');
  return createBullJobs({ jobs, url: redisUrl, prefix: 'canonry:jobs', clock });
}

export function openProjectFolders(config: Pick<Config, 'dataDir' | 'contentDir'>): LocalFolders {
  const folderOf = (projectId: string) => projectFolder(config, projectId);
  return {
    rootOf: (_tenantId, projectId) => folderOf(projectId),
    open: async (_tenantId, projectId) =>
      projectId === DEFAULT_PROJECT
        ? createLocalFiles({ root: folderOf(projectId) })
        : existingFolder(folderOf(projectId)),
    list: () => projectIdsIn(projectsFolder(config.dataDir)),
    create: (_tenantId, projectId, beginning) => newFolder(folderOf(projectId), beginning),
    makesDefault: false,
  };
}

export async function openTenantFolders({ contentDir }: Pick<Config, 'contentDir'>): Promise<LocalFolders> {
  await mkdir(contentDir, { recursive: true });
  const folderOf = (tenantId: string, projectId: string) => tenantFolder(contentDir, tenantId, projectId);
  return {
    rootOf: folderOf,
    open: (tenantId, projectId) => existingFolder(folderOf(tenantId, projectId)),
    list: (tenantId) => projectIdsIn(tenantFolder(contentDir, tenantId, '')),
    create: (tenantId, projectId, beginning) => newFolder(folderOf(tenantId, projectId), beginning),
    makesDefault: true,
  };
}

/** Returns null if the folder does not exist. */
export const existingFolder = async (root: string): Promise<FileStore | null> => {
  const files = createLocalFiles({ root });
  return files.probe().then(
    () => files,
    () => null,
  );
};

async function newFolder(root: string, beginning: Beginning): Promise<FileStore> {
  if (beginning === 'empty') return openFolder(root);
  await fillContentFolder(root, { sample: beginning === 'sample' });
  return createLocalFiles({ root });
}

export const openContentFolder = ({ contentDir }: Pick<Config, 'contentDir'>): FileStore =>
  createLocalFiles({ root: contentDir });

export const openDataFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => openFolder(dataDir);

async function openFolder(root: string): Promise<FileStore> {
  await mkdir(root, { recursive: true });
  return createLocalFiles({ root });
}

export const openAvatarFiles = ({ dataDir }: Pick<Config, 'dataDir'>) => openFolder(avatarFolder(dataDir));

export const openThumbnailFiles = (folder: string) => openFolder(thumbnailFolder(folder));

/** The configured mail server, or the outbox folder. */
export async function openMailer(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  clock: Clock,
): Promise<Mailer> {
  const { smtpUrl, mailFrom: from, dataDir } = config;
  if (smtpUrl !== null) return createSmtpMailer({ url: smtpUrl, from });
  return createOutboxMailer({ files: await openFolder(outboxFolder(dataDir)), from, now: clock.now });
}

/** Starts the thread that reads content folders. */
export const startScanWorker = (): Worker =>
  new Worker(new URL('./scan.worker.ts', import.meta.url), {
    // Its objects are short-lived: a small nursery keeps the thread small at no cost in speed.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });

/** Reports changes in a project's files: by the system's watcher for a folder, by polling for other storage. */
export const openWatcher = (
  { files, ownWrites }: Project,
  options: { pollMs: number; onMoved: (listener: () => void) => () => void },
): Watcher =>
  createPlacedWatcher({
    describe: files.describe,
    onMoved: options.onMoved,
    open: (place) =>
      place.kind === 'local'
        ? createParcelWatcher({ root: place.root, isOwn: ownWrites.isOwn })
        : createPollingWatcher({ everyMs: options.pollMs }),
  });

/** The providers whose client id and secret are set. */
export async function openOAuthProviders(config: Config): Promise<OAuthProvider[]> {
  const providers: OAuthProvider[] = [];
  if (config.googleClientId !== null && config.googleClientSecret !== null) {
    const { createOpenIdProvider } = await import('../platform/oauth/adapters/openid-provider.ts');
    providers.push(
      createOpenIdProvider({
        id: 'google',
        label: 'Google',
        issuer: config.googleIssuer,
        clientId: config.googleClientId,
        clientSecret: config.googleClientSecret,
        storageScope: 'https://www.googleapis.com/auth/drive.file',
      }),
    );
  }
  if (config.githubClientId !== null && config.githubClientSecret !== null) {
    const { createGitHubProvider } = await import('../platform/oauth/adapters/github-provider.ts');
    providers.push(
      createGitHubProvider({
        url: config.githubUrl,
        apiUrl: config.githubApiUrl,
        clientId: config.githubClientId,
        clientSecret: config.githubClientSecret,
      }),
    );
  }
  return providers;
}
