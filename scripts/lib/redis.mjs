import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findPrograms, freePort } from '../../src/cli/cloud/programs.ts';
import { startServer } from './private-server.mjs';

export async function answersRedis(url) {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2000,
    commandTimeout: 2000,
    retryStrategy: () => null,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

/** Without persistence; undefined if its program is missing. */
export async function startRedis() {
  const bin = findPrograms(process.env.PATH, 'redis-server');
  if (!bin) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'canonry-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const flags = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const command = [join(bin, 'redis-server'), ...flags];
  return { url, ...(await startServer({ command, folder, isReady: () => answersRedis(url) })) };
}
