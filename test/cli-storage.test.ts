import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CliSetup, type CliWorld, cliWorld } from './support/cli.ts';
import { startS3, type TestS3 } from './support/storage/s3-server.ts';
import { until } from './support/until.ts';

const env = {
  ALLOW_PRIVATE_ENDPOINTS: 'true',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};
const MIRA = 'Characters/mira_vale/CH_mira_vale.md';

interface Storage {
  world: CliWorld;
  server: TestS3;
  run(args: string, setup?: Omit<CliSetup, 'env'>): ReturnType<CliWorld['run']>;
}

/** A synced world and a bucket; `run` takes the arguments after `canonry storage`. */
async function start(t: TestContext): Promise<Storage> {
  const [world, server] = [cliWorld(t), await startS3(t)];
  await world.run('init', '--sample');
  assert.notEqual((await world.run('sync')).code, 2);
  const run: Storage['run'] = (args, setup = {}) =>
    world.runWith({ ...setup, env }, 'storage', ...args.split(' '));
  return { world, server, run };
}

test('content goes to the storage that is set, and back, by commands alone', async (t) => {
  const { world, server, run } = await start(t);
  const keyless = await world.run('storage', 'status');
  assert.deepEqual([keyless.code, keyless.err.includes('ENCRYPTION_KEY')], [2, true]);
  assert.match((await run('status')).out, /^The content is in the installation's own folder\n$/);
  assert.equal((await run('move')).code, 2, 'nothing else is set');
  const set = await run('set', { input: JSON.stringify(server.place) });
  assert.equal(set.code, 0, set.err);
  assert.doesNotMatch(set.out + set.err, new RegExp(server.place.secret_key));
  assert.match((await run('status')).out, /The storage that is set is s3 worlds .*canonry storage move/);

  const moved = await run('move');
  assert.equal(moved.code, 0, moved.err);
  assert.match(
    moved.out,
    /^Move from the installation's own folder to s3 worlds .*: done, \d+ of \d+ files\n$/,
  );
  assert.ok(server.keys().includes(`local/default/${MIRA}`));
  const status = (await run('status --json')).json<{
    content: { provider: string };
    move: { status: string };
  }>();
  assert.deepEqual([status.content.provider, status.move.status], ['s3', 'done']);

  const home = JSON.stringify({ provider: 'local', path: world.contentDir });
  assert.equal((await run('set', { input: home })).code, 0);
  assert.equal((await run('move')).code, 0);
  assert.equal((await world.run('validate')).code, 0);
});

test('a move that was interrupted says what hindered it, and is resumed', async (t) => {
  const { world, server, run } = await start(t);
  assert.equal((await run('resume')).code, 2, 'there is none');
  await run('set', { input: JSON.stringify(server.place) });
  server.misbehaviour.put = 'refuse';
  const stopping = new AbortController();
  const told = Promise.withResolvers<void>();
  const heard = (text: string) => void (text.includes('tried again') && told.resolve());
  const running = run('move', { stop: stopping.signal, heard });
  await told.promise;
  // While the write is retried.
  server.interfere = (operation) => void (operation === 'put' && stopping.abort());
  const { code, err } = await running;
  assert.equal(code, 2);
  assert.match(err, /AccessDenied.*tried again\ncanonry: interrupted\n$/);
  const hindered = await run('status');
  assert.match(hindered.out, /copying.*\nHindered by: .*AccessDenied/);
  delete server.misbehaviour.put;
  const resumed = await run('resume');
  assert.equal(resumed.code, 0, resumed.err);
  assert.match(resumed.out, /done/);
  const before = readFileSync(join(world.contentDir, MIRA), 'utf8');
  assert.ok(before.includes('mira_vale'), 'the old place is as it was');
});

test('a move is ended, and what cannot be read as settings is refused', async (t) => {
  const { server, run } = await start(t);
  for (const input of ['no JSON', '[]', '{"provider": "s3"}']) {
    const { code, err } = await run('set', { input });
    assert.deepEqual([code, err.startsWith('canonry: ')], [2, true], input);
  }
  await run('set', { input: JSON.stringify(server.place) });
  server.misbehaviour.put = 'refuse';
  const stopping = new AbortController();
  const running = run('move', { stop: stopping.signal });
  await until(async () => server.requests.filter((request) => request.startsWith('put')).length > 2);
  stopping.abort();
  await running;
  const ended = await run('cancel --json');
  assert.deepEqual([ended.code, ended.json().status], [0, 'cancelled']);
  assert.equal((await run('cancel')).code, 2);
  assert.match((await run('status')).out, /The content is in the installation's own folder/);
});

test('a move to a storage that never answers ends within moments when it is interrupted, and is resumed', async (t) => {
  const { server, run } = await start(t);
  await run('set', { input: JSON.stringify(server.place) });
  server.misbehaviour.put = 'stall';
  const stopping = new AbortController();
  const running = run('move', { stop: stopping.signal });
  await until(() => server.requests.at(-1)?.startsWith('put') === true);
  const asked = performance.now();
  stopping.abort();
  assert.match((await running).err, /interrupted/);
  assert.ok(performance.now() - asked < 2_000);
  delete server.misbehaviour.put;
  assert.match((await run('resume')).out, /done/);
});
