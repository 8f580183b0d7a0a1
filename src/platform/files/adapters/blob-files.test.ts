import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { createMemoryBlobs } from '../../../../test/support/memory-blobs.ts';
import { startAzurite, type TestAzure } from '../../../../test/support/storage/azurite.ts';
import { startS3 } from '../../../../test/support/storage/s3-server.ts';
import { openBlobs } from '../../../surfaces/open-blobs.ts';
import { BLOB_LIMITS, type BlobPlace, type BlobStore, BlobsError } from '../../blobs/blobs.ts';
import { prefixed } from '../../blobs/prefixed.ts';
import { filesConformance, scanned } from '../files.conformance.ts';
import { createBlobFiles } from './blob-files.ts';
import { createBlobScanner } from './blob-scanner.ts';

const place: BlobPlace = { provider: 'local', path: '/nowhere' };
const description = { kind: 'blob', place, prefix: '', privateEndpoints: 'refused' } as const;

function over(blobs: BlobStore, now = Date.now) {
  const files = createBlobFiles({ blobs, description, now });
  return { blobs, files, scanner: createBlobScanner({ open: async () => blobs }) };
}

filesConformance('objects in memory', async () => over(createMemoryBlobs()), { losesReplaced: true });
let azure: TestAzure;
before(async () => {
  azure = await startAzurite();
});
after(() => azure.close());

/** Each file takes several requests. */
const many = 40;
filesConformance('objects of S3', async (t) => overNetwork(t, (await startS3(t)).place), {
  losesReplaced: true,
  many,
});
filesConformance('objects of Azure', async (t) => overNetwork(t, await azure.newPlace()), {
  losesReplaced: true,
  many,
});

async function overNetwork(t: TestContext, network: BlobPlace) {
  const blobs = await openBlobs(network, BLOB_LIMITS, 'admitted');
  t.after(() => blobs.close());
  return over(prefixed(blobs, 'a tenant/a project/'));
}

const networks: [string, (t: TestContext) => Promise<BlobPlace>][] = [
  ['S3', async (t) => (await startS3(t)).place],
  ['Azure', () => azure.newPlace()],
];
for (const [name, placeOf] of networks) {
  test(`what somebody else stores in ${name} between the look and the write is not overwritten`, async (t) => {
    const blobs = await openBlobs(await placeOf(t), BLOB_LIMITS, 'admitted');
    t.after(() => blobs.close());
    const rival: BlobStore = {
      ...blobs,
      async put(key, body, options) {
        await blobs.put(key, Buffer.from('of somebody else'));
        return blobs.put(key, body, options);
      },
    };
    const { files } = over(rival);
    const old = Buffer.from('old');
    await blobs.put('a.md', old);
    const code = 'changed';
    await assert.rejects(files.write('a.md', 'new', { onlyOver: old }), { code });
    const stat = await over(blobs).files.write('a.md', old);
    await assert.rejects(files.write('a.md', 'new', { onlyOver: stat }), { code });
    await assert.rejects(files.write('b.md', 'new', { ifAbsent: true }), { code: 'exists' });
    for (const path of ['a.md', 'b.md'])
      assert.equal(Buffer.from(await files.read(path)).toString(), 'of somebody else');
  });
}

const down = () => new BlobsError('unavailable', 'The storage does not answer in time');

/** The same store, in which the N-th changing call fails and, if `dies`, all later ones too. */
function failing(blobs: BlobStore, failAt: number, dies: boolean) {
  let steps = 0;
  const step = <Call extends (...values: never[]) => Promise<unknown>>(call: Call): Call =>
    (async (...values: never[]) => {
      steps += 1;
      if (steps === failAt || (dies && failAt > 0 && steps > failAt)) throw down();
      return call(...values);
    }) as Call;
  const store: BlobStore = {
    ...blobs,
    put: step(blobs.put),
    copy: step(blobs.copy),
    delete: step(blobs.delete),
  };
  return { store, steps: () => steps };
}

const OLD = ['Characters/mira/CH_mira.md', 'Characters/mira/images/a.png', 'Characters/other/CH_other.md'];
const NEW = ['Characters/other/CH_other.md', 'Characters/vale/CH_mira.md', 'Characters/vale/images/a.png'];

async function withContent() {
  const world = over(createMemoryBlobs());
  for (const path of OLD) await world.files.write(path, path);
  return world;
}

const move = (blobs: BlobStore) => over(blobs).files.move('Characters/mira', 'Characters/vale');

test('a move that fails or is cut short at any step ends in the old state or the new one', async () => {
  const { store, steps } = failing((await withContent()).blobs, 0, false);
  await move(store);
  for (const dies of [false, true]) {
    for (let failAt = 1; failAt <= steps(); failAt += 1) {
      const { blobs, scanner } = await withContent();
      const faulty = failing(blobs, failAt, dies);
      const done = await move(faulty.store).then(
        () => true,
        () => false,
      );
      assert.equal(done, false);
      const unsettled = await scanner.list();
      const seen = unsettled.files.map(({ path }) => path);
      const hidden = unsettled.skipped.map(({ path }) => path);
      const isWhole = [OLD, NEW].some((all) => all.join() === seen.toSorted().join());
      assert.ok(isWhole || hidden.includes('Characters/mira'), `step ${failAt}: ${seen}`);
      const later = over(blobs, () => Date.now() + 3_600_000);
      await later.files.cleanTemporaryFiles();
      const settled = (await scanned(scanner)).join();
      assert.ok([OLD.join(), NEW.join()].includes(settled), `step ${failAt}, ${dies}: ${settled}`);
      assert.deepEqual((await scanner.list()).skipped, []);
    }
  }
});

test('what was written at either place of a move that was cut short stays', async () => {
  const { store, steps } = failing((await withContent()).blobs, 0, false);
  await move(store);
  for (let failAt = 2; failAt <= steps(); failAt += 1) {
    const { blobs } = await withContent();
    await assert.rejects(move(failing(blobs, failAt, true).store));
    const written = ['mira/CH_mira.md', 'mira/new.md', 'vale/CH_mira.md', 'vale/new.md'];
    for (const path of written) await blobs.put(`Characters/${path}`, Buffer.from(`anew ${path}`));
    const { files } = over(blobs, () => Date.now() + 3_600_000);
    assert.equal(await files.cleanTemporaryFiles(), 1);
    for (const path of written)
      assert.equal(
        Buffer.from(await files.read(`Characters/${path}`)).toString(),
        `anew ${path}`,
        `${failAt}`,
      );
    const pictures = ['mira', 'vale'].map((name) => files.stat(`Characters/${name}/images/a.png`));
    assert.equal((await Promise.all(pictures)).filter(Boolean).length, 1, `step ${failAt}`);
  }
});

test('a move that is under way is left alone by others', async () => {
  const { blobs, files } = await withContent();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const slow: BlobStore = { ...blobs, copy: async (from, to) => held.then(() => blobs.copy(from, to)) };
  const moving = move(slow);
  while ((await blobs.list({ prefix: '.canonry/', limit: 10 })).blobs.length === 0) await Promise.resolve();
  assert.equal(await files.cleanTemporaryFiles(), 0);
  letGo();
  await moving;
  assert.deepEqual(await scanned(createBlobScanner({ open: async () => blobs })), NEW);
});

test('a listing that breaks off, or never ends, is none', async () => {
  const { blobs } = await withContent();
  let pages = 0;
  const cut: BlobStore = {
    ...blobs,
    list: async (options) => {
      if (options.from) throw down();
      pages += 1;
      return { ...(await blobs.list({ ...options, limit: 1 })), next: 'more' };
    },
  };
  await assert.rejects(createBlobScanner({ open: async () => cut }).list(), {
    name: 'FilesError',
    code: 'io',
  });
  assert.ok(pages > 0);
  const endless: BlobStore = {
    ...blobs,
    list: async (options) => ({ ...(await blobs.list(options)), next: 'x' }),
  };
  await assert.rejects(createBlobScanner({ open: async () => endless }).list(), { code: 'io' });
});

test('folders that consoles make are no files, and what has no safe name is told', async () => {
  const { blobs } = await withContent();
  const list: BlobStore['list'] = async (options) => {
    const page = await blobs.list(options);
    const odd = ['Characters/', 'a//b', '../c', '.hidden/d'].filter((key) => key.startsWith(options.prefix));
    return {
      ...page,
      blobs: [...page.blobs, ...odd.map((key) => ({ key, size: 0, modifiedAt: 0, etag: 'x' }))],
    };
  };
  const batch = await createBlobScanner({ open: async () => ({ ...blobs, list }) }).list();
  assert.deepEqual(batch.files.map(({ path }) => path).sort(), OLD);
  assert.deepEqual(
    batch.skipped.map(({ reason }) => reason),
    ['bad_name'],
  );
});
