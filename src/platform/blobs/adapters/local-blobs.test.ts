import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { createMemoryBlobs } from '../../../../test/support/memory-blobs.ts';
import { blobsConformance, withCode } from '../blobs.conformance.ts';
import { createLocalBlobs } from './local-blobs.ts';

function temporaryFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'blobs-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

blobsConformance('memory', async () => createMemoryBlobs());
blobsConformance('local', async (t) => createLocalBlobs({ path: temporaryFolder(t) }));

it('follows no link, neither to read nor to write', async (t) => {
  const [path, outside] = [temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(join(outside, 'secret'), 'secret');
  symlinkSync(outside, join(path, 'way'));
  symlinkSync(join(outside, 'secret'), join(path, 'link'));
  const store = createLocalBlobs({ path });
  await assert.rejects(store.get('way/secret'), withCode('denied'));
  await assert.rejects(store.get('link'), withCode('denied'));
  await assert.rejects(store.put('way/new', Buffer.from('x')), withCode('denied'));
  await assert.rejects(store.delete('way/secret'), withCode('denied'));
  assert.deepEqual(await store.list({ prefix: '', limit: 10 }), { blobs: [], next: null });
  assert.equal(await store.stat('link'), null);
  assert.deepEqual(readdirSync(outside), ['secret']);
});

it('never makes its folder', async (t) => {
  const path = join(temporaryFolder(t), 'gone');
  const store = createLocalBlobs({ path });
  await assert.rejects(store.put('a', Buffer.from('x')), withCode('no_bucket'));
  await assert.rejects(store.get('a'), withCode('no_bucket'));
  await assert.rejects(store.list({ prefix: '', limit: 1 }), withCode('no_bucket'));
});

it('says when a folder and an object want the same name', async (t) => {
  const path = temporaryFolder(t);
  mkdirSync(join(path, 'folder', 'full'), { recursive: true });
  const store = createLocalBlobs({ path });
  await store.put('object', Buffer.from('x'));
  await assert.rejects(store.put('object/below', Buffer.from('x')), withCode('conflict'));
  await assert.rejects(store.put('folder', Buffer.from('x')), withCode('conflict'));
  await assert.rejects(store.get('folder'), withCode('not_found'));
  assert.deepEqual(readdirSync(path).sort(), ['folder', 'object']);
});

it('tells whether its folder can be used, and leaves nothing in it', async (t) => {
  const path = temporaryFolder(t);
  await createLocalBlobs({ path }).preflight();
  assert.deepEqual(readdirSync(path), []);
  writeFileSync(join(path, 'file'), '');
  for (const wrong of ['none', 'file', 'file/below'])
    await assert.rejects(createLocalBlobs({ path: join(path, wrong) }).preflight(), withCode('no_bucket'));
  mkdirSync(join(path, '.sb-config-probe.tmp'));
  await assert.rejects(createLocalBlobs({ path }).preflight(), withCode('conflict'));
});

it('knows how much room there is', async (t) => {
  const capacity = await createLocalBlobs({ path: temporaryFolder(t) }).capacity();
  assert.ok(capacity && capacity.available > 0 && capacity.available <= capacity.total);
});
