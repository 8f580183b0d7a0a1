import { isLoopback } from '../loopback.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import type { Surface } from './variable.ts';
import { VARIABLES } from './variables.ts';

export function checkTogether(config: Config, surface: Surface): void {
  for (const [one, other] of PAIRS) checkPair(config, one, other);
  if (surface === 'ai' || config.aiUrl !== null) checkServiceToken(config);
  if (surface === 'core') checkPluginOrigin(config);
  if (surface === 'edge') checkEdge(config);
  else if (surface === 'desktop') checkDesktop(config);
  else if (config.deployment === 'cloud') checkCloud(config, surface);
  else if (surface === 'worker')
    throw new ConfigError(
      VARIABLES.deployment.name,
      'must be cloud for the worker surface: a self-hosted core does its jobs itself',
      'cloud',
    );
}

/** A core and the AI surface know each other by it. */
function checkServiceToken({ serviceToken }: Config): void {
  const { name, example } = VARIABLES.serviceToken;
  if (serviceToken === null)
    throw new ConfigError(name, 'is not set, but the AI surface, and a core with AI_URL, need it', example);
}

/** Pages of plugins are shown by the web app alone, so they must know where it is. */
function checkPluginOrigin({ pluginOrigin, publicUrl }: Config): void {
  const { name, example } = VARIABLES.publicUrl;
  if (pluginOrigin !== null && publicUrl === null)
    throw new ConfigError(name, 'is not set, but PLUGIN_ORIGIN needs it', example);
  if (pluginOrigin !== null && publicUrl !== null && new URL(publicUrl).origin === pluginOrigin)
    throw new ConfigError(
      VARIABLES.pluginOrigin.name,
      'is the origin of PUBLIC_URL, but pages of plugins need another one than the web app',
      VARIABLES.pluginOrigin.example,
    );
}

/** The edge stores nothing, so it needs only the addresses of the services. */
function checkEdge({ accountsUrl, coreUrls }: Config): void {
  const missing = [
    ...(accountsUrl === null ? [VARIABLES.accountsUrl] : []),
    ...(coreUrls.length === 0 ? [VARIABLES.coreUrls] : []),
  ];
  for (const { name, example } of missing)
    throw new ConfigError(name, 'is not set, but the edge surface needs it', example);
}

/** The desktop surface accepts requests without a token, so no other machine may reach it. */
function checkDesktop({ bindAddress, deployment }: Config): void {
  if (!isLoopback(bindAddress.host))
    throw new ConfigError(
      VARIABLES.bindAddress.name,
      `has the host ${bindAddress.host}, but the desktop surface listens on a loopback address alone`,
      '127.0.0.1:8000',
    );
  if (deployment === 'cloud')
    throw new ConfigError(
      VARIABLES.deployment.name,
      'must be core for the desktop surface: it has one tenant',
      'core',
    );
}

const PAIRS = [
  ['googleClientId', 'googleClientSecret'],
  ['githubClientId', 'githubClientSecret'],
  ['cloudUrl', 'cloudToken'],
  ['aiBaseUrl', 'aiModel'],
  ['pluginCatalog', 'pluginCatalogKey'],
] as const;
type PairKey = (typeof PAIRS)[number][number];

function checkPair(config: Config, one: PairKey, other: PairKey): void {
  if ((config[one] === null) === (config[other] === null)) return;
  const [missing, set] = config[one] === null ? [one, other] : [other, one];
  const { name, example } = VARIABLES[missing];
  throw new ConfigError(name, `is not set, but ${VARIABLES[set].name} is: they go together`, example);
}

/** Variables that each surface needs only in the cloud. */
const CLOUD_NEEDS: Partial<Record<Surface, readonly ('redisUrl' | 'accountsUrl' | 'serviceToken')[]>> = {
  core: ['redisUrl', 'accountsUrl', 'serviceToken'],
  accounts: ['redisUrl', 'serviceToken'],
  worker: ['redisUrl', 'accountsUrl', 'serviceToken'],
  ai: ['serviceToken'],
};

function checkCloud(config: Config, surface: Surface): void {
  checkCloudDatabase(config, surface);
  for (const key of CLOUD_NEEDS[surface] ?? ['redisUrl']) {
    const { name, example } = VARIABLES[key];
    if (config[key] === null)
      throw new ConfigError(name, 'is not set, but DEPLOYMENT=cloud needs it', example);
  }
  if (config.cloudUrl !== null) {
    throw new ConfigError(
      VARIABLES.cloudUrl.name,
      'is for self-hosted services, which work with a cloud; this is one',
      '',
    );
  }
  if (config.allowPrivateEndpoints) {
    throw new ConfigError(
      'ALLOW_PRIVATE_ENDPOINTS',
      'is for self-hosted services, not DEPLOYMENT=cloud',
      'false',
    );
  }
}

const ON_DATABASE: readonly Surface[] = ['core', 'accounts', 'worker'];

function checkCloudDatabase({ databaseUrl, accountsDatabaseUrl }: Config, surface: Surface): void {
  if (!ON_DATABASE.includes(surface)) return;
  const isOwn = surface === 'accounts' && accountsDatabaseUrl !== null;
  if ((isOwn ? accountsDatabaseUrl : databaseUrl).kind === 'postgres') return;
  const { name, example } = isOwn ? VARIABLES.accountsDatabaseUrl : CLOUD_DATABASE;
  throw new ConfigError(name, 'must be PostgreSQL where DEPLOYMENT=cloud', example);
}

const CLOUD_DATABASE = { name: VARIABLES.databaseUrl.name, example: 'postgres://canonry@db/canonry' };
