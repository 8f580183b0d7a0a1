import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createFaultySyscalls } from '../../../test/support/faulty-files.ts';
import { createMemoryBlobs } from '../../../test/support/memory-blobs.ts';
import type { BlobStore } from '../../platform/blobs/blobs.ts';
import { createBlobFiles } from '../../platform/files/adapters/blob-files.ts';
import { createLocalFiles } from '../../platform/files/adapters/local-files.ts';
import type { FileStore } from '../../platform/files/files.ts';
import { completeReplacement, newStagingFolder, placePlugin, recyclePlugin } from './plugin-moves.ts';

type Tree = Record<string, string>;

const OLD: Tree = { 'plugin.json': 'old', 'same.js': 'same', 'panels/gone.html': 'gone' };
const NEW: Tree = { 'plugin.json': 'new', 'same.js': 'same', 'panels/a.html': 'a', 'panels/b.html': 'b' };
const STAMP = { by: 'u1', at: '2026-03-02T10:15:00.000Z' };
const FOLDER = '_Plugins/word-count';

/** A disk or storage that outlives the processes that use it. */
interface World {
  /** A process that dies at a change of the disk, counted from 1; 0 never does. */
  process(diesAt: number): { files: FileStore; changes(): number };
  /** Everything, by path. */
  all(): Promise<Tree>;
  /** So much later that nothing of a dead process is thought to go on. */
  later(): void;
}

function onDisk(t: TestContext): World {
  const root = mkdtempSync(join(tmpdir(), 'plugin-moves-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  return {
    process(diesAt) {
      const { syscalls, trace } = createFaultySyscalls({ failAt: diesAt, failure: 'crash' });
      return { files: createLocalFiles({ root, syscalls }), changes: () => trace.length };
    },
    async all() {
      const paths = readdirSync(root, { recursive: true }).map(String);
      const files = paths.filter((path) => statSync(join(root, path)).isFile());
      return Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
    },
    later: () => {},
  };
}

function onObjects(): World {
  const blobs = createMemoryBlobs();
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const description = {
    kind: 'blob',
    place: { provider: 'local', path: '/nowhere' },
    prefix: '',
    privateEndpoints: 'refused',
  } as const;
  return {
    process(diesAt) {
      let changes = 0;
      const step = (): BlobStore => {
        changes += 1;
        if (diesAt > 0 && changes >= diesAt) throw new Error('the process is dead');
        return blobs;
      };
      const mortal: BlobStore = {
        ...blobs,
        put: async (...args) => step().put(...args),
        copy: async (...args) => step().copy(...args),
        delete: async (...args) => step().delete(...args),
      };
      return { files: createBlobFiles({ blobs: mortal, description, now }), changes: () => changes };
    },
    async all() {
      const { blobs: found } = await blobs.list({ prefix: '', limit: 1_000 });
      const texts = found.map(async ({ key }) => {
        const chunks = await (await blobs.get(key)).stream.toArray();
        return [key, Buffer.concat(chunks).toString()];
      });
      return Object.fromEntries(await Promise.all(texts));
    },
    later() {
      ahead += 24 * 3_600_000;
    },
  };
}

const below = (tree: Tree, folder: string): Tree =>
  Object.fromEntries(
    Object.entries(tree).flatMap(([path, text]) =>
      path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), text]] : [],
    ),
  );

/** The plugin in each folder of the recycle bin. */
const binned = (tree: Tree): Tree[] => {
  const bin = below(tree, '_RecycleBin/_files');
  const folders = new Set(Object.keys(bin).map((path) => path.split('/')[0] ?? ''));
  return [...folders].map((folder) => below(bin, `${folder}/${FOLDER}`));
};

const isOneOf = (tree: Tree, ...versions: Tree[]): boolean =>
  versions.some((version) => JSON.stringify(sorted(version)) === JSON.stringify(sorted(tree)));
const sorted = (tree: Tree) => Object.entries(tree).sort();

/** In object storage, copies that a dead process made may be there as well. */
const isBinned = (tree: Tree): boolean => binned(tree).some((one) => isOneOf(one, OLD));

const put = async (files: FileStore, folder: string, tree: Tree): Promise<void> => {
  for (const [path, content] of Object.entries(tree)) await files.write(`${folder}/${path}`, content);
};

const completed = (files: FileStore) => completeReplacement(files, async () => {});

async function replace(files: FileStore): Promise<void> {
  const staged = newStagingFolder();
  await put(files, staged, NEW);
  await placePlugin(files, { pluginId: 'word-count', staged, ...STAMP }, async () => {});
}

const WORLDS = { 'on a disk': onDisk, 'in object storage': onObjects };

for (const [where, open] of Object.entries(WORLDS)) {
  const begun = async (t: TestContext): Promise<World> => {
    const world = open(t);
    await put(world.process(0).files, FOLDER, OLD);
    return world;
  };

  test(`a replacement ${where} that ends at any change leaves one whole version and nothing else`, async (t) => {
    const counting = (await begun(t)).process(0);
    await replace(counting.files);
    const outcomes = new Set<string>();
    for (let at = 1; at <= counting.changes(); at += 1) {
      const world = await begun(t);
      await replace(world.process(at).files).catch(() => undefined);
      await completed(world.process(0).files);
      const soon = await world.all();
      const present = below(soon, FOLDER);
      assert.ok(isOneOf(present, OLD, NEW), `change ${at}: ${JSON.stringify(soon, null, 1)}`);
      const isNew = isOneOf(present, NEW);
      outcomes.add(isNew ? 'new' : 'old');
      assert.equal(isBinned(soon), isNew, `change ${at}`);
      world.later();
      await world.process(0).files.cleanTemporaryFiles();
      await completed(world.process(0).files);
      const all = await world.all();
      assert.deepEqual([below(all, FOLDER), isBinned(all)], [present, isNew], `change ${at}`);
      assert.deepEqual(below(all, '.canonry'), {}, `change ${at}`);
    }
    assert.deepEqual([...outcomes], ['old', 'new']);
  });

  test(`a completion ${where} that ends at any change is completed by the next one`, async (t) => {
    const interrupted = async (): Promise<World> => {
      const world = await begun(t);
      const { files } = world.process(0);
      const staged = newStagingFolder();
      await put(files, staged, NEW);
      const replacement = { pluginId: 'word-count', staged, ...STAMP };
      await files.write('.canonry/plugins/replaced.json', JSON.stringify(replacement));
      return world;
    };
    const counting = (await interrupted()).process(0);
    assert.equal(await completed(counting.files), 'word-count');
    for (let at = 1; at <= counting.changes(); at += 1) {
      const world = await interrupted();
      await completed(world.process(at).files).catch(() => undefined);
      await completed(world.process(0).files);
      const all = await world.all();
      assert.ok(isOneOf(below(all, FOLDER), NEW), `change ${at}: ${JSON.stringify(all, null, 1)}`);
      assert.ok(isBinned(all), `change ${at}`);
    }
  });

  test(`a journal ${where} that is not ours moves nothing and is removed`, async (t) => {
    const ours = { pluginId: 'word-count', staged: '.canonry/plugins/a', ...STAMP };
    const forged = [
      '{',
      '{}',
      { ...ours, staged: 'Characters' },
      { ...ours, staged: '.canonry/plugins/..' },
      { ...ours, pluginId: '..' },
    ];
    for (const journal of forged) {
      const { process, all } = await begun(t);
      const { files } = process(0);
      await put(files, 'Characters', { 'plugin.json': 'a note' });
      await put(files, ours.staged, { 'plugin.json': 'new' });
      const before = await all();
      const text = typeof journal === 'string' ? journal : JSON.stringify(journal);
      await files.write('.canonry/plugins/replaced.json', text);
      assert.equal(await completed(files), null, text);
      const { [`${ours.staged}/plugin.json`]: _staged, ...kept } = before;
      assert.deepEqual(await all(), kept, text);
    }
  });

  test(`a removal ${where} that ends at any change leaves it whole, here or in the recycle bin`, async (t) => {
    const counting = (await begun(t)).process(0);
    await recyclePlugin(counting.files, 'word-count', STAMP.at);
    for (let at = 1; at <= counting.changes(); at += 1) {
      const world = await begun(t);
      await recyclePlugin(world.process(at).files, 'word-count', STAMP.at).catch(() => undefined);
      world.later();
      await world.process(0).files.cleanTemporaryFiles();
      const all = await world.all();
      const isHere = isOneOf(below(all, FOLDER), OLD);
      assert.deepEqual([below(all, FOLDER), binned(all)], isHere ? [OLD, []] : [{}, [OLD]], `change ${at}`);
    }
  });
}
