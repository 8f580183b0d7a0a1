import { join } from 'node:path';
import type { Environment, Surface } from '../../kit/config/index.ts';

export interface CloudSettings {
  dataDir: string;
  contentDir: string;
  databaseUrl: string;
  accountsDatabaseUrl: string;
  redisUrl: string;
  serviceToken: string;
  encryptionKey: string;
  registration: string;
  /** The listening address of the edge, the only one that people use. */
  bindAddress: string;
  /** The same address as a URL. */
  edge: string;
  publicUrl: string | null;
  accounts: string;
  cores: readonly string[];
  worker: string;
}

export interface CloudService {
  name: string;
  surface: Surface;
  address: string;
  dataDir: string;
  /** Variables that replace those of the environment. */
  variables: Readonly<Record<string, string>>;
}

/** The variables that we set, also as `X_FILE`, replace inherited ones; all others are inherited. */
export function environmentOf({ variables }: CloudService, env: Environment): Environment {
  const ours = new Set(Object.keys(variables).flatMap((name) => [name, `${name}_FILE`]));
  const others = Object.entries(env).filter(([name]) => !ours.has(name));
  return { ...Object.fromEntries(others), ...variables };
}

/** Services in the order in which they start; they stop in reverse. */
export function cloudServices(settings: CloudSettings): CloudService[] {
  const { dataDir, edge, accounts, cores, worker } = settings;
  const publicUrl = settings.publicUrl ?? edge;
  const behindEdge = {
    DEPLOYMENT: 'cloud',
    TRUSTED_PROXIES: '127.0.0.1',
    ENCRYPTION_KEY: settings.encryptionKey,
  };
  const content = { ...behindEdge, DATABASE_URL: settings.databaseUrl, CONTENT_DIR: settings.contentDir };
  const service = (
    name: string,
    surface: Surface,
    address: string,
    variables: Readonly<Record<string, string>>,
  ): CloudService => ({
    name,
    surface,
    address,
    dataDir: join(dataDir, name),
    variables: {
      DATA_DIR: join(dataDir, name),
      BIND_ADDR: new URL(address).host,
      SERVICE_TOKEN: settings.serviceToken,
      REDIS_URL: settings.redisUrl,
      PUBLIC_URL: publicUrl,
      ...variables,
    },
  });
  return [
    service('accounts', 'accounts', accounts, {
      ...behindEdge,
      DATABASE_URL: settings.accountsDatabaseUrl,
      ACCOUNTS_DATABASE_URL: settings.accountsDatabaseUrl,
      REGISTRATION: settings.registration,
    }),
    ...cores.map((core, index) =>
      service(`core-${index + 1}`, 'core', core, {
        ...content,
        ACCOUNTS_URL: accounts,
      }),
    ),
    service('worker', 'worker', worker, { ...content, ACCOUNTS_URL: accounts }),
    service('edge', 'edge', edge, {
      BIND_ADDR: settings.bindAddress,
      ACCOUNTS_URL: accounts,
      CORE_URL: cores.join(','),
    }),
  ];
}
