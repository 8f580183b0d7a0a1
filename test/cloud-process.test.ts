import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findPrograms } from '../src/cli/cloud/programs.ts';
import { cliWorld } from './support/cli.ts';
import { type Constellation, startConstellation, takesConnections } from './support/constellation.ts';
import { until } from './support/until.ts';

const PERSON = { email: 'mara@example.com', password: 'a long pass phrase' };
const hasServers =
  findPrograms(process.env.PATH, 'initdb', 'postgres') && findPrograms(process.env.PATH, 'redis-server');

const allGone = ({ processes }: Constellation) =>
  until(async () => {
    const open = await Promise.all(processes.map(({ address }) => takesConnections(address)));
    return !open.includes(true);
  });

const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('canonry cloud brings its own servers, heals, keeps its data, and leaves nothing behind', async (t) => {
  if (!hasServers) return void (await saysWhatToInstall(t));
  const folder = mkdtempSync(join(tmpdir(), 'canonry-cloud-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // As root the database server runs under another account, which must be able to reach its folder.
  chmodSync(folder, 0o711);
  const env = { DATA_DIR: join(folder, 'data') };

  const first = await startConstellation(t, env);
  assert.equal((await post(`${first.url}/api/auth/register`, PERSON)).status, 201);
  await until(async () => readdirSync(join(folder, 'data/accounts/outbox')).length === 1);
  for (const name of ['accounts', 'postgres']) process.kill(first.process(name).pid, 'SIGKILL');
  await until(async () => (await post(`${first.url}/api/auth/login`, PERSON)).status === 200);
  assert.equal(await first.end('SIGTERM'), 0);
  await allGone(first);

  const second = await startConstellation(t, env);
  const login = await post(`${second.url}/api/auth/login`, PERSON);
  assert.equal(login.status, 200);
  await second.end('SIGKILL');
  await allGone(second);
});

const saysWhatToInstall = async (t: Parameters<typeof cliWorld>[0]) => {
  const { code, err } = await cliWorld(t).run('cloud');
  assert.equal(code, 2);
  assert.match(err, /^canonry: There is no (PostgreSQL|Redis) on this machine: install it .*\n$/);
};

test('canonry cloud refuses what cannot be a cloud, in one line', async (t) => {
  const { code, out, err } = await cliWorld(t).runWith(
    { env: { DATABASE_URL: 'sqlite:/tmp/a.db' } },
    'cloud',
  );
  assert.deepEqual([code, out], [2, '']);
  assert.match(err, /^canonry: DATABASE_URL names a SQLite file, but a cloud needs PostgreSQL/);
});
