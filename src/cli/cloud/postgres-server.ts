import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../kit/config/index.ts';
import { messageOf } from '../../kit/errors.ts';
import { openDatabase } from '../../surfaces/platform.ts';
import { CommandError } from '../context.ts';
import { findPrograms, freePort, type SystemUser, unprivilegedUser } from './programs.ts';
import type { Job } from './supervised.ts';
import { tethered } from './tethered.ts';

const run = promisify(execFile);

export interface PostgresServer {
  job: Job;
  urlOf(database: string): string;
}

export interface PostgresOptions {
  /** The cluster's folder; created if it is missing. */
  folder: string;
  password: string;
  databases: readonly [string, ...string[]];
  env: Environment;
}

/** A PostgreSQL server that only this machine reaches, with these databases. */
export async function postgresServer(options: PostgresOptions): Promise<PostgresServer> {
  const { folder, password, databases, env } = options;
  const bin = findPrograms(env.PATH, 'initdb', 'postgres');
  if (bin === undefined)
    throw new CommandError(
      'There is no PostgreSQL on this machine: install it (Debian: apt install postgresql), or name a server by DATABASE_URL',
    );
  const user = unprivilegedUser('postgres');
  makeFolder(folder, user);
  const data = join(folder, 'data');
  if (!existsSync(data)) await makeCluster(data, { ...options, bin, user });
  const port = await freePort();
  const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
  ];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  return {
    urlOf,
    job: {
      name: 'postgres',
      address: `postgres://127.0.0.1:${port}`,
      command: tethered([join(bin, 'postgres'), '-D', data, ...flags]),
      env,
      user,
      answers: () => answers(urlOf(databases[0])),
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const database = await openDatabase({ databaseUrl: { kind: 'postgres', url } });
  return database
    .probe()
    .then(() => true)
    .finally(() => database.close());
}

function makeFolder(folder: string, user: SystemUser | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user === undefined) return;
  chownSync(folder, user.uid, user.gid);
  // The server's own user may pass through the data folder but not list it.
  const parent = dirname(folder);
  chmodSync(parent, statSync(parent).mode | 0o011);
}

/** The cluster appears in one step: an interrupted start leaves only a temporary folder, which is replaced. */
async function makeCluster(
  data: string,
  { folder, password, databases, bin, user }: PostgresOptions & { bin: string; user: SystemUser | undefined },
): Promise<void> {
  const fresh = `${data}.new`;
  const passwordFile = join(folder, 'password');
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const as = { ...user, cwd: folder };
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', passwordFile];
  try {
    await run(join(bin, 'initdb'), ['-D', fresh, ...access, '-E', 'UTF8', '--no-locale'], as);
    // Single-user mode asks for no password.
    const making = run(join(bin, 'postgres'), ['--single', '-D', fresh, 'postgres'], as);
    making.child.stdin?.end(databases.map((name) => `create database ${name}\n`).join(''));
    await making;
  } catch (error) {
    throw new CommandError(
      `PostgreSQL cannot be set up in ${folder}: ${messageOf(error).trim().replace(/\s+/g, ' ')}. Name another DATA_DIR, or a server by DATABASE_URL`,
      { cause: error },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(fresh, data);
}
