import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, DatabaseUrl, Environment, LoadedConfig } from '../../kit/config/index.ts';
import { provisionSecret, readSecret, secretPath } from '../../kit/config/provision.ts';
import { randomToken } from '../../kit/crypto.ts';
import { CommandError } from '../context.ts';
import { postgresServer } from './postgres-server.ts';
import { freePort } from './programs.ts';
import { redisServer } from './redis-server.ts';
import type { CloudSettings } from './services.ts';
import type { Job } from './supervised.ts';

const CORES = 2;
const CORE_DATABASE = 'core';
const ACCOUNTS_DATABASE = 'accounts';

export interface Addresses {
  databaseUrl: string;
  accountsDatabaseUrl: string;
  redisUrl: string;
}

/** The servers that nobody named, and where all of them are. */
export async function planServers(
  { config, sources }: LoadedConfig,
  env: Environment,
): Promise<{ servers: Job[]; addresses: Addresses }> {
  const { dataDir, databaseUrl, accountsDatabaseUrl, redisUrl } = config;
  const postgres =
    sources.DATABASE_URL === 'default'
      ? await postgresServer({
          folder: join(dataDir, 'postgres'),
          password: keptSecret(dataDir, 'postgres-password'),
          databases: [CORE_DATABASE, ACCOUNTS_DATABASE],
          env,
        })
      : null;
  const redis =
    redisUrl === null
      ? await redisServer({
          folder: join(dataDir, 'redis'),
          password: keptSecret(dataDir, 'redis-password'),
          env,
        })
      : null;
  const core = postgres?.urlOf(CORE_DATABASE) ?? addressOf(databaseUrl);
  return {
    servers: [postgres, redis].flatMap((server) => (server ? [server.job] : [])),
    addresses: {
      databaseUrl: core,
      accountsDatabaseUrl:
        (accountsDatabaseUrl && addressOf(accountsDatabaseUrl)) ?? postgres?.urlOf(ACCOUNTS_DATABASE) ?? core,
      redisUrl: redisUrl ?? redis?.url ?? '',
    },
  };
}

const addressOf = (database: DatabaseUrl): string =>
  database.kind === 'postgres' ? database.url : database.path;

/** A cloud's databases are shared by processes: throws where a file is named. */
export function refuseFiles({ config, sources }: LoadedConfig): void {
  const named = [
    ['DATABASE_URL', config.databaseUrl],
    ['ACCOUNTS_DATABASE_URL', config.accountsDatabaseUrl],
  ] as const;
  for (const [name, database] of named)
    if (database?.kind === 'sqlite' && sources[name] !== 'default')
      throw new CommandError(
        `${name} names a SQLite file, but a cloud needs PostgreSQL: leave it out, or name a server, for example postgres://canonry@db/canonry`,
      );
}

export async function planServices(config: Config, addresses: Addresses): Promise<CloudSettings> {
  const { dataDir, contentDir, bindAddress, serviceToken, encryptionKey, publicUrl, registration } = config;
  const free = async () => `http://127.0.0.1:${await freePort()}`;
  const { host, port } = bindAddress;
  const edgePort = port === 0 ? await freePort() : port;
  const hostAndPort = (name: string) => `${name.includes(':') ? `[${name}]` : name}:${edgePort}`;
  return {
    ...addresses,
    dataDir,
    contentDir,
    publicUrl,
    registration,
    serviceToken: serviceToken ?? keptSecret(dataDir, 'service-token'),
    encryptionKey: Buffer.from(encryptionKey).toString('base64'),
    bindAddress: hostAndPort(host),
    edge: `http://${hostAndPort(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)}`,
    accounts: await free(),
    cores: await Promise.all(Array.from({ length: CORES }, free)),
    worker: await free(),
  };
}

/** Where commands such as `canonry tenant` find this installation's databases. */
export function writeCommandSettings({ dataDir, ...settings }: CloudSettings): string {
  const path = join(dataDir, 'cloud.env');
  const variables = {
    DATA_DIR: dataDir,
    CONTENT_DIR: settings.contentDir,
    DATABASE_URL: settings.databaseUrl,
    ACCOUNTS_DATABASE_URL: settings.accountsDatabaseUrl,
    REDIS_URL: settings.redisUrl,
    ENCRYPTION_KEY: settings.encryptionKey,
    PUBLIC_URL: settings.publicUrl ?? settings.edge,
  };
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'`,
  );
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  return path;
}

/** A secret of this installation, made by its first start. */
function keptSecret(dataDir: string, file: string): string {
  const path = secretPath(dataDir, file);
  provisionSecret(path, () => randomToken(48));
  return readSecret(path) ?? '';
}
