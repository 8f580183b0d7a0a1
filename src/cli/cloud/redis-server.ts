import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../kit/config/index.ts';
import { openKeyValue } from '../../surfaces/platform.ts';
import { CommandError } from '../context.ts';
import { findPrograms, freePort } from './programs.ts';
import type { Job } from './supervised.ts';
import { tethered } from './tethered.ts';

export interface RedisServer {
  job: Job;
  url: string;
}

export interface RedisOptions {
  /** The folder for its settings and its snapshots. */
  folder: string;
  password: string;
  env: Environment;
}

export async function redisServer({ folder, password, env }: RedisOptions): Promise<RedisServer> {
  const bin = findPrograms(env.PATH, 'redis-server');
  if (bin === undefined)
    throw new CommandError(
      'There is no Redis on this machine: install it (Debian: apt install redis-server), or name one by REDIS_URL',
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = await freePort();
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const settings = join(folder, 'redis.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${folder}"`,
    'appendonly yes',
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`, { mode: 0o600 });
  return {
    url,
    job: {
      name: 'redis',
      address: `redis://127.0.0.1:${port}`,
      command: tethered([join(bin, 'redis-server'), settings]),
      env,
      answers: () => answers(url),
    },
  };
}

async function answers(redisUrl: string): Promise<boolean> {
  const keyValue = await openKeyValue({ redisUrl });
  return keyValue
    .ping()
    .then(() => true)
    .finally(() => keyValue.close());
}
