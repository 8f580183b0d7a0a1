import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { findPrograms, freePort } from '../../src/cli/cloud/programs.ts';
import { until } from './until.ts';

const BIN = findPrograms(process.env.PATH, 'redis-server');

export const hasRedisServer = BIN !== undefined;

/** A killed server comes back at the same address, empty. */
export async function startForgetfulRedis(t: Pick<TestContext, 'after'>) {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await freePort();
  let child: ChildProcess | null = null;

  const answers = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
      socket.once('data', (bytes) => {
        socket.destroy();
        resolve(bytes.toString().startsWith('+PONG'));
      });
      socket.once('error', () => resolve(false));
    });
  async function start(): Promise<void> {
    const settings = [
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
    child = spawn(join(BIN ?? '', 'redis-server'), settings, { stdio: 'ignore' });
    await until(answers);
  }
  async function kill(): Promise<void> {
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    child = null;
  }

  await start();
  t.after(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: `redis://127.0.0.1:${port}`, start, kill };
}
