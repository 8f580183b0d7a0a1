import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  arrived,
  checksums,
  contentOf,
  home,
  MOVE,
  type Move,
  moveTo,
  ok,
  startWorld,
  sync,
} from './support/content-world.ts';
import type { TestCore } from './support/core.ts';
import type { S3Operation } from './support/storage/s3-objects.ts';
import { type Misbehaviour, startS3, type TestS3 } from './support/storage/s3-server.ts';
import { until } from './support/until.ts';

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';
const TOBIN = 'Characters/tobin_sark/CH_tobin_sark.md';
const keyOf = (path: string) => `local/default/${path}`;

const problemOf = (core: TestCore) => ok<Move>(core, 'GET', MOVE).then(({ problem }) => problem);

async function begin(core: TestCore, place: object): Promise<void> {
  await ok(core, 'PUT', '/api/settings/storage', place);
  await ok(core, 'POST', MOVE);
}

/** Answers requests for one object wrongly; resolves to the function that ends it. */
function failAt(server: TestS3, path: string, operation: S3Operation, how: Misbehaviour): () => void {
  server.interfere = (asked, key) => {
    if (asked === operation && key === keyOf(path)) server.misbehaviour[operation] = how;
    else delete server.misbehaviour[operation];
  };
  return () => {
    server.interfere = null;
    delete server.misbehaviour[operation];
  };
}

/** Text files that the rows do not know. */
function addNotes(core: TestCore, count: number): string[] {
  mkdirSync(join(core.contentDir, 'Notes'));
  const paths = Array.from({ length: count }, (_, at) => `Notes/note_${at}.txt`);
  for (const path of paths) writeFileSync(join(core.contentDir, path), `The text of ${path}`);
  return paths;
}

test('a file that the new place does not take is named, all others are copied, and nothing is switched without it', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  const notes = addNotes(core, 60);
  const before = await checksums(core);
  const mend = failAt(server, MIRA, 'put', 'fault');
  await begin(core, server.place);
  await until(async () => (await problemOf(core)) !== null);
  const problem = String(await problemOf(core));
  assert.match(problem, /^1 file was not copied.*"Characters\/mira_vale\/CH_mira_vale\.md".*fault/);
  const stored = server.keys();
  for (const path of [...Object.keys(before), ...notes])
    if (path !== MIRA) assert.ok(stored.includes(keyOf(path)), path);
  const { files_done, files_total } = await ok<Move>(core, 'GET', MOVE);
  assert.equal(files_done, files_total - 1);
  assert.equal((await contentOf(core)).provider, 'local');
  mend();
  const { status, problem: left } = await arrived(core);
  assert.deepEqual([status, left], ['done', null]);
  assert.deepEqual(await checksums(core), before);
});

for (const mendedBy of ['put', 'delete'] as const)
  test(`what a crash of the storage left torn at the new place is written anew (mended by ${mendedBy})`, async (t) => {
    const [core, server] = [await startWorld(t), await startS3(t)];
    const before = await checksums(core);
    await ok(core, 'PUT', '/api/settings/storage', server.place);
    let isTorn = false;
    server.interfere = (operation, key) => {
      if (isTorn || operation !== 'put' || key !== keyOf('README.md')) return;
      isTorn = true;
      for (const path of [MIRA, TOBIN]) server.tear(keyOf(path), mendedBy);
    };
    await ok(core, 'POST', MOVE);
    assert.equal((await arrived(core)).status, 'done');
    assert.ok(isTorn);
    assert.deepEqual(await checksums(core), before);
    await sync(core);
    assert.deepEqual(await checksums(core), before);
  });

test('what was torn while the first files were written is known as the move’s own by the next try', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  const before = await checksums(core);
  await ok(core, 'PUT', '/api/settings/storage', server.place);
  server.interfere = (operation, key) => {
    if (operation !== 'put' || key === keyOf('.canonry/project')) return;
    server.tear(keyOf(MIRA));
    server.misbehaviour.put = 'fault';
  };
  await ok(core, 'POST', MOVE);
  await until(async () => (await problemOf(core)) !== null);
  server.interfere = null;
  delete server.misbehaviour.put;
  assert.equal((await arrived(core)).status, 'done');
  assert.deepEqual(await checksums(core), before);
});

test('what lies at the new place and cannot be read is no copy of this move: it is named and stays', async (t) => {
  for (const how of ['torn', 'refused'] as const) {
    const [core, server] = [await startWorld(t), await startS3(t)];
    const before = await checksums(core);
    server.put(keyOf(MIRA), 'somebody’s text');
    if (how === 'torn') server.tear(keyOf(MIRA));
    const mend = how === 'refused' && failAt(server, MIRA, 'get', 'refuse');
    await begin(core, server.place);
    await until(async () => (await problemOf(core)) !== null);
    assert.match(
      String(await problemOf(core)),
      /^1 file was not copied: "Characters\/mira_vale.*cannot be read/,
    );
    assert.ok(!server.requests.includes(`put ${keyOf(MIRA)}`), how);
    const { files_done, files_total } = await ok<Move>(core, 'GET', MOVE);
    assert.equal(files_done, files_total - 1);
    assert.equal((await contentOf(core)).provider, 'local');
    if (mend) mend();
    else server.put(keyOf(MIRA), 'somebody’s text');
    assert.equal((await arrived(core)).status, 'done');
    assert.deepEqual(await checksums(core), before);
    const aside = server.keys().filter((key) => key.startsWith(keyOf('_RecycleBin/_storage/')));
    assert.equal(aside.length, 1, how);
  }
});

test('a copy that reads otherwise than it was written, or breaks off, is written anew', async (t) => {
  for (const how of ['lie', 'cut', 'fault'] as const) {
    const [core, server] = [await startWorld(t), await startS3(t)];
    const before = await checksums(core);
    await ok(core, 'PUT', '/api/settings/storage', server.place);
    let puts = 0;
    server.interfere = (operation, key) => {
      delete server.misbehaviour.get;
      if (key !== keyOf(MIRA)) return;
      if (operation === 'put') puts += 1;
      if (operation === 'get' && puts === 1) server.misbehaviour.get = how;
    };
    await ok(core, 'POST', MOVE);
    const { status } = await arrived(core);
    assert.deepEqual([how, status, puts], [how, 'done', 2]);
    assert.deepEqual(await checksums(core), before);
  }
});

test('a storage that refuses one file after the other is not asked for all of them', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  addNotes(core, 300);
  await ok(core, 'PUT', '/api/settings/storage', server.place);
  server.misbehaviour.put = 'refuse';
  server.interfere = (operation, key) => {
    if (operation === 'put' && key === keyOf('.canonry/project')) delete server.misbehaviour.put;
    else server.misbehaviour.put = 'refuse';
  };
  await ok(core, 'POST', MOVE);
  await until(async () => (await problemOf(core)) !== null);
  assert.match(String(await problemOf(core)), /files were not copied.*were not tried/);
  assert.ok(server.requests.filter((request) => request.startsWith('put ')).length < 40);
});

test('a file that the old place does not give is named and gone past', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  await moveTo(core, server.place);
  const before = await checksums(core);
  rmSync(core.contentDir, { recursive: true });
  mkdirSync(core.contentDir);
  const mend = failAt(server, MIRA, 'get', 'refuse');
  await begin(core, home(core));
  await until(async () => (await problemOf(core)) !== null);
  assert.match(String(await problemOf(core)), /^1 file was not copied.*mira_vale.*AccessDenied/);
  assert.equal((await contentOf(core)).provider, 's3');
  const there = (path: string) => readFileSync(join(core.contentDir, path), 'utf8');
  for (const path of Object.keys(before)) if (path !== MIRA) assert.ok(there(path).length > 0, path);
  mend();
  assert.equal((await arrived(core)).status, 'done');
  assert.deepEqual(await checksums(core), before);
});

test('files that vanish while they are to be copied are no failure', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  const before = await checksums(core);
  addNotes(core, 60);
  await ok(core, 'PUT', '/api/settings/storage', server.place);
  server.interfere = (operation, key) => {
    if (operation !== 'put' || key === keyOf('.canonry/project')) return;
    rmSync(join(core.contentDir, 'Notes'), { recursive: true, force: true });
  };
  await ok(core, 'POST', MOVE);
  const { status, problem } = await arrived(core);
  assert.deepEqual([status, problem], ['done', null]);
  assert.ok(!server.keys().some((key) => key.startsWith(keyOf('Notes/'))));
  await sync(core);
  assert.deepEqual(await checksums(core), before);
});
