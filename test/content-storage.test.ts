import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlobPlace, BlobStore } from '../src/platform/blobs/blobs.ts';
import { prefixed } from '../src/platform/blobs/prefixed.ts';
import { openBlobs } from '../src/surfaces/open-blobs.ts';
import { PROJECT_FILE, SAMPLE_LIST } from '../src/world/projects/project-files.ts';
import {
  arrived,
  checksums,
  contentOf,
  home,
  MOVE,
  type Move,
  moveTo,
  ok,
  type Report,
  startWorld,
  sync,
} from './support/content-world.ts';
import { forEachDatabase } from './support/databases.ts';
import { startAzurite } from './support/storage/azurite.ts';
import { startS3 } from './support/storage/s3-server.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

forEachDatabase((name, open) => {
  test(`${name}: a project goes from its folder to S3 and back while it is read and written, with the same checksums`, async (t) => {
    const [core, server] = [await startWorld(t, open), await startS3(t)];
    const before = await checksums(core);
    const isOver = new AbortController();
    const statuses = new Set<number>();
    const reading = (async () => {
      while (!isOver.signal.aborted) {
        statuses.add((await core.call('GET', '/api/entity/character?limit=5')).status);
        statuses.add((await core.call('GET', '/api/manifest')).status);
        await sleep(20);
      }
    })();
    const made: string[] = [];
    const writing = (async () => {
      for (let count = 0; !isOver.signal.aborted; count += 1) {
        const id = `during_${count}`;
        await ok(core, 'POST', '/api/entity/character', { entity_id: id, name: `During ${count}` });
        made.push(id);
        await sleep(100);
      }
    })();
    const there = await moveTo(core, server.place);
    assert.deepEqual([there.status, there.problem], ['done', null]);
    assert.deepEqual(await contentOf(core), {
      provider: 's3',
      location: server.place.bucket,
      endpoint: server.url,
      is_here: true,
    });
    const back = await moveTo(core, home(core));
    assert.equal(back.status, 'done');
    isOver.abort();
    await Promise.all([reading, writing]);
    assert.deepEqual([...statuses], [200]);
    await sync(core);
    const after = await checksums(core);
    for (const [path, checksum] of Object.entries(before)) assert.equal(after[path], checksum, path);
    assert.ok(made.length > 2);
    for (const id of made) {
      assert.ok(
        Object.keys(after).some((path) => path.startsWith(`Characters/${id}/`)),
        id,
      );
      await ok(core, 'GET', `/api/entity/character/${id}`);
    }
    assert.equal(Object.keys(after).length, Object.keys(before).length + made.length);
  });
});

test('the name of a world, and what of it is the sample, are known wherever the content is', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  const list = '0000  Characters/mira_vale/CH_mira_vale.md\n';
  mkdirSync(join(core.contentDir, '.canonry'), { recursive: true });
  writeFileSync(join(core.contentDir, SAMPLE_LIST), list);
  await ok(core, 'PATCH', '/api/projects/default', { name: 'Low Water' });
  assert.equal((await moveTo(core, server.place)).status, 'done');
  for (const path of [SAMPLE_LIST, PROJECT_FILE]) rmSync(join(core.contentDir, path));
  assert.equal((await moveTo(core, home(core))).status, 'done');
  assert.equal(readFileSync(join(core.contentDir, SAMPLE_LIST), 'utf8'), list);
  const { projects } = await ok<{ projects: { name: string }[] }>(core, 'GET', '/api/projects');
  assert.equal(projects[0]?.name, 'Low Water');
});

const changesOf = ({ created, updated, deleted }: Report) => ({ created, updated, deleted });

/** The project's objects, past the service. */
async function objectsAt(t: TestContext, place: BlobPlace): Promise<BlobStore> {
  const blobs = await openBlobs(place, { answerMs: 5_000, attempts: 1 }, 'admitted');
  t.after(() => blobs.close());
  return prefixed(blobs, 'local/default/');
}

const textOf = async (objects: BlobStore, key: string) => text((await objects.get(key)).stream);

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';

for (const provider of ['S3', 'Azure'] as const) {
  test(`content in ${provider} is worked on as in a folder`, async (t) => {
    const core = await startWorld(t);
    const place = provider === 'S3' ? (await startS3(t)).place : await azurePlace(t);
    await moveTo(core, place);
    const objects = await objectsAt(t, place);
    const untouched = readFileSync(join(core.contentDir, MIRA), 'utf8');
    const character = '/api/entity/character';

    await ok(core, 'POST', character, { entity_id: 'ada', name: 'Ada' });
    await ok(core, 'PUT', `${character}/ada`, { name: 'Ada of the Glass' });
    assert.match(await textOf(objects, 'Characters/ada/CH_ada.md'), /Ada of the Glass/);
    await ok(core, 'POST', '/api/rename-entity', {
      entity_type: 'character',
      old_id: 'mira_vale',
      new_id: 'mira',
    });
    assert.equal(await objects.stat(MIRA), null);
    assert.match(await textOf(objects, 'Characters/mira/CH_mira.md'), /Mira/);
    await ok(core, 'DELETE', `${character}/ada`);
    const { items } = await ok<{ items: { item_id: string }[] }>(core, 'GET', '/api/recycle-bin');
    await ok(core, 'POST', `/api/recycle-bin/${items[0]?.item_id}/restore`);
    assert.match(await textOf(objects, 'Characters/ada/CH_ada.md'), /Ada of the Glass/);
    assert.deepEqual(changesOf(await sync(core)), { created: 0, updated: 0, deleted: 0 });

    const changed = (await textOf(objects, 'Characters/ada/CH_ada.md')).replace('of the Glass', 'of the Sea');
    await objects.put('Characters/ada/CH_ada.md', Buffer.from(changed));
    await objects.put('Characters/new/CH_new.md', Buffer.from(changed.replaceAll('ada', 'new')));
    await objects.put('Characters/new/images/a.png', PIXEL);
    assert.deepEqual(changesOf(await sync(core)), { created: 1, updated: 1, deleted: 0 });
    const ada = await ok<{ name: string }>(core, 'GET', `${character}/ada`);
    assert.equal(ada.name, 'Ada of the Sea');
    const picture = await core.call('GET', '/api/files/Characters/new/images/a.png');
    assert.deepEqual([picture.status, picture.headers['content-type']], [200, 'image/png']);
    const again = { headers: { 'if-none-match': String(picture.headers.etag) } };
    assert.equal((await core.call('GET', '/api/files/Characters/new/images/a.png', again)).status, 304);
    await objects.delete('Characters/new/CH_new.md');
    assert.deepEqual(changesOf(await sync(core)), { created: 0, updated: 0, deleted: 1 });

    assert.equal(readFileSync(join(core.contentDir, MIRA), 'utf8'), untouched, 'the old place is as it was');
  });
}

async function azurePlace(t: TestContext): Promise<BlobPlace> {
  const azure = await startAzurite();
  t.after(() => azure.close());
  return azure.newPlace();
}

test('what somebody else stores while a save is on its way is not overwritten', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  await moveTo(core, server.place);
  const blobs = await objectsAt(t, server.place);
  const read = (key: string) => textOf(blobs, key);
  const character = '/api/entity/character/oda_pell';
  const path = 'Characters/oda_pell/CH_oda_pell.md';
  const rules = '_Rules/CHARACTER_RULES.md';
  const meanwhile = (key: string, text: string) => {
    server.interfere = (operation, at) => {
      if (operation !== 'put' || !at.endsWith(key)) return;
      server.interfere = null;
      server.put(at, text);
    };
  };

  const theirs = `${await read(path)}\nA line by hand.\n`;
  meanwhile(path, theirs);
  await ok(core, 'PUT', character, { name: 'Oda' });
  const saved = await read(path);
  assert.match(saved, /A line by hand/);
  assert.match(saved, /Oda/);
  const { revisions } = await ok<{ revisions: { source: string }[] }>(core, 'GET', `${character}/revisions`);
  assert.ok(
    revisions.some(({ source }) => source === 'file'),
    'their text is a version of its own',
  );

  const before = await read(rules);
  meanwhile(rules, `${before}\nBy hand.\n`);
  const body = { system_prompt: 'Another prompt' };
  const refused = await core.call<{ code: string }>('PUT', '/api/rules/character/system-prompt', { body });
  assert.deepEqual([refused.status, refused.body.code], [409, 'changed_meanwhile'], refused.text);
  assert.equal(await read(rules), `${before}\nBy hand.\n`);
});

test('what the mirror knows is not fetched again, and what cannot be listed is not gone', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  await moveTo(core, server.place);
  await sync(core);
  const before = await checksums(core);
  server.requests.length = 0;
  assert.deepEqual(changesOf(await sync(core)), { created: 0, updated: 0, deleted: 0 });
  await ok(core, 'GET', '/api/entity/character/mira_vale');
  assert.deepEqual(
    server.requests.filter((request) => !request.startsWith('list')),
    [],
  );
  for (const misbehaviour of ['refuse', 'html', 'cut', 'fault'] as const) {
    server.misbehaviour.list = misbehaviour;
    const reply = await core.call('POST', '/api/entity/sync/all');
    assert.ok(reply.status >= 400, `${misbehaviour}: ${reply.text}`);
  }
  delete server.misbehaviour.list;
  assert.deepEqual(await checksums(core), before);
  server.misbehaviour.put = 'refuse';
  const body = { name: 'Another name' };
  const refused = await core.call('PUT', '/api/entity/character/mira_vale', { body });
  assert.ok([409, 503].includes(refused.status), refused.text);
  delete server.misbehaviour.put;
  await ok(core, 'PUT', '/api/entity/character/mira_vale', body);
  assert.equal((await sync(core)).deleted, 0);
});

test('a move waits for a storage that fails, goes on by itself, and puts aside what lies in its way', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  const before = await checksums(core);
  await ok(core, 'PUT', '/api/settings/storage', server.place);
  assert.equal((await contentOf(core)).is_here, false, 'settings alone move nothing');
  const objects = await objectsAt(t, server.place);
  await objects.put(MIRA, Buffer.from('of somebody else'));
  await objects.put('Characters/gone/CH_gone.md', Buffer.from('left from earlier'));
  await objects.put('README.md', readFileSync(join(core.contentDir, 'README.md')));
  server.misbehaviour.put = 'fault';
  await ok(core, 'POST', MOVE);
  while ((await ok<Move>(core, 'GET', MOVE)).problem === null) await sleep(50);
  const elsewhere = { ...server.place, bucket: 'another-bucket' };
  assert.equal((await core.call('PUT', '/api/settings/storage', { body: elsewhere })).status, 400);
  assert.equal(
    (await core.call('PUT', '/api/settings/storage', { body: home(core) })).body.code,
    'storage_moving',
  );
  await ok(core, 'PUT', '/api/entity/character/oda_pell', { name: 'Oda' });
  assert.match(readFileSync(join(core.contentDir, 'Characters/oda_pell/CH_oda_pell.md'), 'utf8'), /Oda/);
  delete server.misbehaviour.put;
  const { status } = await arrived(core);
  assert.equal(status, 'done');
  const after = await checksums(core);
  assert.deepEqual(Object.keys(after), Object.keys(before));
  assert.equal(after[MIRA], before[MIRA]);
  assert.equal((await ok<{ name: string }>(core, 'GET', '/api/entity/character/oda_pell')).name, 'Oda');
  const aside = server.keys().filter((key) => key.includes('_RecycleBin/_storage/'));
  assert.deepEqual(aside.map((key) => key.split('/').at(-1)).sort(), ['CH_gone.md', 'CH_mira_vale.md']);
  assert.deepEqual(changesOf(await sync(core)), { created: 0, updated: 0, deleted: 0 });

  const broken = { ...server.place, secret_key: 'another-secret' };
  assert.equal((await core.call('PUT', '/api/settings/storage', { body: broken })).status, 400);
  assert.equal((await contentOf(core)).is_here, true);
  await ok(core, 'PUT', '/api/entity/character/oda_pell', { name: 'Oda Pell' });
});

test('a move to a storage that accepts and never answers says so, goes on when it answers, and keeps nobody waiting', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  const before = await checksums(core);
  await ok(core, 'PUT', '/api/settings/storage', server.place);
  const isContent = (key: string) => key.endsWith('.md');
  const stored: string[] = [];
  server.interfere = (operation, key) => {
    if (operation !== 'put' || !isContent(key)) return;
    if (stored.length === 3) server.misbehaviour.put = 'stall';
    else stored.push(key);
  };
  await ok(core, 'POST', MOVE);
  for (;;) {
    const asked = performance.now();
    const move = await ok<Move>(core, 'GET', MOVE);
    await ok(core, 'GET', '/health');
    await ok(core, 'PUT', '/api/entity/character/oda_pell', { name: `Oda ${asked}` });
    assert.ok(performance.now() - asked < 5_000, 'no answer waits for the storage');
    if (move.problem !== null) {
      assert.match(move.problem, /does not answer in time/);
      assert.equal(move.status, 'copying');
      break;
    }
    await sleep(100);
  }
  assert.equal((await contentOf(core)).provider, 'local');
  server.interfere = null;
  delete server.misbehaviour.put;
  server.requests.length = 0;
  await ok(core, 'PUT', '/api/entity/character/oda_pell', { name: 'Oda' });
  const { status, files_done, files_total } = await arrived(core);
  assert.deepEqual([status, files_done], ['done', files_total]);
  const again = server.requests.filter((request) => stored.some((key) => request === `put ${key}`));
  assert.deepEqual(
    again.filter((request) => !request.includes('oda_pell')),
    [],
    'what was there is not sent again',
  );
  const after = await checksums(core);
  assert.deepEqual(Object.keys(after), Object.keys(before));
  for (const [path, checksum] of Object.entries(before))
    if (!path.includes('oda_pell')) assert.equal(after[path], checksum, path);
  assert.equal((await ok<{ name: string }>(core, 'GET', '/api/entity/character/oda_pell')).name, 'Oda');
  assert.deepEqual(changesOf(await sync(core)), { created: 0, updated: 0, deleted: 0 });
});

test('a move that is ended leaves the content where it was', async (t) => {
  const [core, server] = [await startWorld(t), await startS3(t)];
  const before = await checksums(core);
  assert.equal((await core.call('GET', MOVE)).status, 404);
  assert.equal((await core.call('POST', MOVE)).body.code, 'content_is_there');
  await ok(core, 'PUT', '/api/settings/storage', server.place);
  server.misbehaviour.put = 'refuse';
  await ok(core, 'POST', MOVE);
  const { status } = await ok<Move>(core, 'DELETE', MOVE);
  assert.equal(status, 'cancelled');
  assert.equal((await core.call('DELETE', MOVE)).status, 409);
  delete server.misbehaviour.put;
  assert.deepEqual(await checksums(core), before);
  assert.equal((await contentOf(core)).provider, 'local');
  await ok(core, 'POST', MOVE);
  assert.equal((await arrived(core)).status, 'done');
  assert.deepEqual(await checksums(core), before);
});
