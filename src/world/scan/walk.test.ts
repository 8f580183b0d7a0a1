import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeFolders } from '../../content/paths/index.ts';
import { parseTemplate } from '../../content/template/index.ts';
import type { FileScanner, ScanBatch } from '../../platform/files/files.ts';
import { NUMBERS_PER_ROW, ROW, type ScanRequest } from './protocol.ts';
import { createReplica } from './replica.ts';
import { createWalk } from './walk.ts';

const parsed = parseTemplate({
  path: '_Templates/Standard/CHARACTER_TEMPLATE.md',
  text: '---\nentity_type: character\n---\n',
});
assert.ok(parsed.ok);
const folders = typeFolders([parsed.template]);
const NOW = 10_000;
const EVERYTHING: ScanRequest = { under: null, reread: 'none' };

const fileAt = (path: string, ctimeMs = 1_000) => ({ path, size: 3, mtimeMs: 1_000, ctimeMs, ino: 7 });

function scannerOf(batch: ScanBatch): FileScanner {
  return {
    *scan() {
      yield batch;
    },
    digestSync: () => ({ sha256: '0'.repeat(64), head: new Uint8Array() }),
    readSync: () => new TextEncoder().encode('---\nname: x\n---\n'),
    statSync: (path) => batch.files.find((file) => file.path === path),
    rootExists: () => true,
  };
}

function replicaOf(...paths: string[]) {
  const replica = createReplica();
  const numbers = new Float64Array(paths.length * NUMBERS_PER_ROW);
  paths.forEach((_path, row) => {
    numbers.set([3, 1_000, 1_000, 7], row * NUMBERS_PER_ROW);
  });
  replica.apply({ paths, numbers, flags: new Uint8Array(paths.length).fill(ROW.main) });
  return replica;
}

function walk(batch: ScanBatch, replica: ReturnType<typeof createReplica>, request = EVERYTHING) {
  const project = { scanner: scannerOf(batch), replica, folders, largestText: 1024, now: () => NOW };
  const made = createWalk(project, request, 1);
  const pending = [...made.run()].flat();
  return { summary: made.summary, pending };
}

test('what lies below a folder that could not be listed is not gone', () => {
  const replica = replicaOf('Characters/ada/CH_ada.md', 'Characters/bob/CH_bob.md');
  const skipped = [{ path: 'Characters/ada', reason: 'unreadable' as const }];
  const { summary } = walk({ files: [fileAt('README.md')], skipped }, replica);
  assert.deepEqual(summary.vanished, ['Characters/bob/CH_bob.md']);
  assert.deepEqual(summary.skipped, skipped);
});

test('a file that cannot be read is not gone either', () => {
  const replica = replicaOf('Characters/ada/CH_ada.md');
  const skipped = [{ path: 'Characters/ada/CH_ada.md', reason: 'unreadable' as const }];
  assert.deepEqual(walk({ files: [], skipped }, replica).summary.vanished, []);
});

test('a file with the same stat is not read, any other is', () => {
  const replica = replicaOf('Characters/ada/CH_ada.md', 'Characters/bob/CH_bob.md');
  const files = [
    fileAt('Characters/ada/CH_ada.md'),
    fileAt('Characters/bob/CH_bob.md', 2_000),
    fileAt('Characters/cleo/CH_cleo.md'),
  ];
  const { pending, summary } = walk({ files, skipped: [] }, replica);
  assert.deepEqual(
    pending.map(({ stat }) => stat.path),
    ['Characters/bob/CH_bob.md', 'Characters/cleo/CH_cleo.md'],
  );
  assert.deepEqual([summary.unchanged, summary.changed], [1, 2]);
  const again = walk({ files, skipped: [] }, replica, { under: null, reread: 'all' });
  assert.equal(again.pending.length, 3);
});

test('where templates changed, entities are read again and what lies beside them is not', () => {
  const files = ['ada/CH_ada.md', 'ada/notes.md', 'ada/images/a.png', 'ada/texts/letter.md'].map((path) =>
    fileAt(`Characters/${path}`),
  );
  const replica = replicaOf(...files.map(({ path }) => path));
  const { pending } = walk({ files, skipped: [] }, replica, { under: ['Characters'], reread: 'entities' });
  assert.deepEqual(pending.map(({ stat }) => stat.path).sort(), [
    'Characters/ada/CH_ada.md',
    'Characters/ada/notes.md',
  ]);
});

test('a change as young as the clock’s tick is looked at again', () => {
  const files = [
    fileAt('Characters/ada/CH_ada.md', NOW - 10),
    fileAt('Characters/bob/CH_bob.md', NOW - 1_000),
  ];
  const { pending } = walk({ files, skipped: [] }, createReplica());
  assert.deepEqual(
    pending.map(({ racy }) => racy),
    [true, false],
  );
});

test('of several markdown files in a folder one is the entity', () => {
  const files = ['notes.md', 'CH_ada.md', 'README.md'].map((name) => fileAt(`Characters/ada/${name}`));
  const { pending } = walk({ files, skipped: [] }, createReplica());
  assert.deepEqual(
    pending.filter(({ template }) => template !== null).map(({ stat }) => stat.path),
    ['Characters/ada/CH_ada.md'],
  );
  assert.equal(pending.length, 3);
});

test('named paths lead to no more than what they name', () => {
  const replica = replicaOf(
    'Characters/ada/CH_ada.md',
    'Characters/adam/CH_adam.md',
    'Characters/ada/images/a.png',
  );
  const { summary } = walk({ files: [], skipped: [] }, replica, {
    under: ['Characters/ada/CH_ada.md', '_RecycleBin/Characters/x~1/CH_x.md'],
    reread: 'none',
  });
  assert.deepEqual(summary.vanished.sort(), ['Characters/ada/CH_ada.md', 'Characters/ada/images/a.png']);
});

test('the recycle bin is no content; its folders are named', () => {
  const files = [
    fileAt('_RecycleBin/Characters/ada~k3/CH_ada.md'),
    fileAt('_RecycleBin/Characters/ada~k3/images/a.png'),
  ];
  const { summary, pending } = walk({ files, skipped: [] }, createReplica());
  assert.deepEqual([summary.files, pending.length], [0, 0]);
  assert.deepEqual(summary.recycled, [
    { folder: '_RecycleBin/Characters/ada~k3', path: '_RecycleBin/Characters/ada~k3/CH_ada.md' },
  ]);
});
