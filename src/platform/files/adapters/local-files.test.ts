import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFaultySyscalls } from '../../../../test/support/faulty-files.ts';
import { filesConformance, scanned, withCode } from '../files.conformance.ts';
import { type Syscalls, systemCalls } from '../syscalls.ts';
import { createLocalFiles } from './local-files.ts';
import { createLocalScanner } from './local-scanner.ts';

function makeRoot(t: TestContext): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'canonry-files-'));
  t.after(() => fs.rmSync(root, { recursive: true, force: true }));
  return root;
}

filesConformance('local', async (t) => {
  const root = makeRoot(t);
  return { files: createLocalFiles({ root }), scanner: createLocalScanner({ root }) };
});

it('never reads, writes, moves or lists through a link', async (t) => {
  const outside = makeRoot(t);
  const root = makeRoot(t);
  fs.writeFileSync(`${outside}/secret.md`, 'secret');
  fs.symlinkSync(outside, `${root}/way`);
  fs.symlinkSync(`${outside}/secret.md`, `${root}/secret.md`);
  fs.symlinkSync('nowhere', `${root}/dangling`);
  const files = createLocalFiles({ root });
  const scanner = createLocalScanner({ root });
  await files.write('real.md', 'real');

  await assert.rejects(files.read('way/secret.md'), withCode('outside'));
  await assert.rejects(files.write('way/new.md', 'x'), withCode('outside'));
  await assert.rejects(files.write('way/deep/new.md', 'x'), withCode('outside'));
  await assert.rejects(files.remove('way/secret.md'), withCode('outside'));
  await assert.rejects(files.move('real.md', 'way/real.md'), withCode('outside'));
  await assert.rejects(files.list('way'), withCode('outside'));
  await assert.rejects(files.read('secret.md'), withCode('not_a_file'));
  await assert.rejects(files.write('secret.md', 'x'), withCode('not_a_file'));
  await assert.rejects(files.remove('way'), withCode('not_a_file'));
  await assert.rejects(files.write('dangling/x.md', 'x'));
  assert.equal(await files.stat('secret.md'), undefined);
  assert.throws(() => scanner.readSync('way/secret.md'), withCode('outside'));
  assert.throws(() => scanner.readSync('secret.md'), withCode('not_a_file'));
  assert.deepEqual(await scanned(scanner, 'way'), []);
  assert.deepEqual(fs.readdirSync(outside), ['secret.md']);
  assert.equal(fs.readFileSync(`${outside}/secret.md`, 'utf8'), 'secret');
  assert.ok(fs.lstatSync(`${root}/secret.md`).isSymbolicLink());
});

it('reads no more than it is to read', async (t) => {
  const files = createLocalFiles({ root: makeRoot(t) });
  await files.write('four.md', 'four');
  assert.equal(Buffer.from(await files.read('four.md', 4)).toString(), 'four');
  await assert.rejects(files.read('four.md', 3), withCode('too_large'));
});

it('leaves no second name of a replaced file, however many are replaced at once', async (t) => {
  const root = makeRoot(t);
  const files = createLocalFiles({ root });
  const names = Array.from({ length: 20 }, (_, index) => `${index}.md`);
  await files.writeMany(names.map((path) => ({ path, content: 'a' })));
  await Promise.all(names.map((path) => files.write(path, 'b', { onlyOver: Buffer.from('a') })));
  await files.writeMany(names.map((path) => ({ path, content: 'c', onlyOver: Buffer.from('b') })));
  assert.deepEqual(fs.readdirSync(root).sort(), names.sort());
});

it('replaces a file in no folder that is gone', async (t) => {
  const root = makeRoot(t);
  const files = createLocalFiles({ root });
  await assert.rejects(files.write('gone/a.md', 'x', { onlyOver: Buffer.from('a') }), withCode('not_found'));
  assert.deepEqual(fs.readdirSync(root), []);
});

it('follows a root that is a link, also when it is pointed elsewhere', async (t) => {
  const [first, second, place] = [makeRoot(t), makeRoot(t), makeRoot(t)];
  const root = `${place}/root`;
  fs.symlinkSync(first, root);
  const files = createLocalFiles({ root });
  await files.write('a/b.md', '1');
  fs.unlinkSync(root);
  fs.symlinkSync(second, root);
  await files.write('a/b.md', '2');
  assert.equal(fs.readFileSync(`${first}/a/b.md`, 'utf8'), '1');
  assert.equal(fs.readFileSync(`${second}/a/b.md`, 'utf8'), '2');
});

it('names links, pipes and unusable names in a walk and goes on', async (t) => {
  const root = makeRoot(t);
  fs.symlinkSync('/', `${root}/link`);
  execFileSync('mkfifo', [`${root}/pipe.md`]);
  fs.writeFileSync(`${root}/back\\slash.md`, '');
  fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.of(0xff), Buffer.from('.md')]), '');
  fs.writeFileSync(`${root}/.canonry-0123456789abcdef.tmp`, 'unfinished');
  fs.writeFileSync(`${root}/good.md`, 'good');
  const scanner = createLocalScanner({ root });
  const batches = [...scanner.scan()];
  const skipped = batches.flatMap((batch) => batch.skipped).sort((a, b) => a.path.localeCompare(b.path));
  assert.deepEqual(skipped, [
    { path: 'back\\slash.md', reason: 'bad_name' },
    { path: 'bad\ufffd.md', reason: 'bad_name' },
    { path: 'link', reason: 'symlink' },
    { path: 'pipe.md', reason: 'not_a_regular_file' },
  ]);
  assert.deepEqual(await scanned(scanner), ['good.md']);
  assert.throws(() => scanner.readSync('pipe.md'), withCode('not_a_file'));
});

it('reads what it just walked, and looks again once the walk went on', (t) => {
  const [root, outside] = [makeRoot(t), makeRoot(t)];
  fs.mkdirSync(`${root}/a`);
  fs.writeFileSync(`${root}/a/x.md`, 'inside');
  fs.writeFileSync(`${outside}/x.md`, 'secret');
  const scanner = createLocalScanner({ root });
  for (const batch of scanner.scan()) {
    const texts = batch.files.map((file) => Buffer.from(scanner.readSync(file.path)).toString());
    assert.deepEqual(texts, ['inside']);
  }
  const paths = [...scanner.scan()].flatMap(({ files }) => files.map(({ path }) => path));
  assert.deepEqual(
    paths.map((path) => Buffer.from(scanner.readSync(path)).toString()),
    ['inside'],
  );
  fs.rmSync(`${root}/a`, { recursive: true });
  fs.symlinkSync(outside, `${root}/a`);
  assert.deepEqual(
    [...scanner.scan()].flatMap(({ files }) => files),
    [],
  );
  assert.throws(() => scanner.readSync('a/x.md'), withCode('outside'));
  assert.throws(() => scanner.digestSync('a/x.md', 1), withCode('outside'));
});

it('never takes a missing root for an empty one, nor makes it', async (t) => {
  const root = `${makeRoot(t)}/gone`;
  const files = createLocalFiles({ root });
  const scanner = createLocalScanner({ root });
  await assert.rejects(files.probe(), withCode('root_missing'));
  await assert.rejects(files.write('a/b.md', 'x'), withCode('root_missing'));
  await assert.rejects(files.stat('a/b.md'), withCode('root_missing'));
  assert.throws(() => [...scanner.scan()], withCode('root_missing'));
  assert.throws(() => [...scanner.scan({ under: 'a' })], withCode('root_missing'));
  assert.equal(scanner.rootExists(), false);
  assert.equal(fs.existsSync(root), false);
  fs.writeFileSync(root, '');
  await assert.rejects(files.probe(), withCode('not_a_folder'));
  assert.throws(() => [...scanner.scan()], withCode('root_missing'));
  assert.equal(scanner.rootExists(), false);
});

it('keeps the mode of a replaced file', async (t) => {
  const root = makeRoot(t);
  fs.writeFileSync(`${root}/a.md`, 'old');
  fs.chmodSync(`${root}/a.md`, 0o602);
  await createLocalFiles({ root }).write('a.md', 'new');
  assert.equal(fs.statSync(`${root}/a.md`).mode & 0o777, 0o602);
});

it('never lets others open the draft of a private file', async (t) => {
  const root = makeRoot(t);
  fs.writeFileSync(`${root}/a.md`, 'old', { mode: 0o600 });
  const modes: number[] = [];
  const syscalls: Syscalls = {
    ...systemCalls,
    openSync: (path, flags, mode) => {
      const fd = systemCalls.openSync(path, flags, mode);
      if (mode !== undefined) modes.push(fs.fstatSync(fd).mode & 0o777);
      return fd;
    },
  };
  await createLocalFiles({ root, syscalls }).write('a.md', 'new');
  assert.deepEqual(modes, [0o600]);
});

it('removes what a crash left behind once it is an hour old', async (t) => {
  const root = makeRoot(t);
  const files = createLocalFiles({ root });
  fs.mkdirSync(`${root}/a/.canonry-00aa.tmp/deep`, { recursive: true });
  fs.writeFileSync(`${root}/a/.canonry-11bb.tmp`, 'old');
  fs.writeFileSync(`${root}/a/.canonry-22cc.tmp`, 'young');
  fs.writeFileSync(`${root}/a/.canonry.tmp.md`, 'not ours');
  for (const name of ['00aa', '11bb']) fs.utimesSync(`${root}/a/.canonry-${name}.tmp`, 1_000, 1_000);
  fs.utimesSync(`${root}/a/.canonry.tmp.md`, 1_000, 1_000);
  fs.mkdirSync(`${root}/.canonry/own/.canonry-33dd.tmp`, { recursive: true });
  fs.utimesSync(`${root}/.canonry/own/.canonry-33dd.tmp`, 1_000, 1_000);
  assert.equal(await files.cleanTemporaryFiles(), 3);
  assert.deepEqual(fs.readdirSync(`${root}/a`).sort(), ['.canonry-22cc.tmp', '.canonry.tmp.md']);
  assert.deepEqual(await files.list('a'), [{ name: '.canonry.tmp.md', kind: 'file' }]);
});

it('syncs the file before the rename, and its folder and each new one after it', async (t) => {
  const root = makeRoot(t);
  const { syscalls, trace } = createFaultySyscalls({ failAt: 0, failure: 'crash' });
  await createLocalFiles({ root, syscalls }).write('a/b/c.md', 'text');
  const calls = trace.map((call) => call.replace(root, '').replace(/\.canonry-\w+/, '*'));
  assert.deepEqual(calls, [
    'mkdir /a',
    'mkdir /a/b',
    'open /a/b/*.tmp',
    'write',
    'fsync file',
    'rename /a/b/c.md',
    'fsync folder',
    'fsync folder',
    'fsync folder',
  ]);
});

describe('an editor that saves while the service replaces its file', () => {
  const saves: Record<string, (path: string) => void> = {
    'in place': (path) => fs.writeFileSync(path, 'edited'),
    'under another name first': (path) => {
      fs.writeFileSync(`${path}~`, 'edited');
      fs.renameSync(`${path}~`, path);
    },
  };
  /** An editor saves right before, or after, the service links or renames its file. */
  function saving(moment: Moment, save: (path: string) => void): Syscalls {
    let isSaved = false;
    const saveAt = (present: Moment, path: string) => {
      if (isSaved || moment !== present) return;
      isSaved = true;
      save(path);
    };
    return {
      ...systemCalls,
      linkSync: (from, to) => {
        saveAt('before link', from);
        systemCalls.linkSync(from, to);
        saveAt('after link', from);
      },
      renameSync: (from, to) => {
        saveAt('before rename', to);
        systemCalls.renameSync(from, to);
      },
    };
  }
  type Moment = 'before link' | 'after link' | 'before rename';
  const moments: [Moment, string][] = [
    ['before link', 'in place'],
    ['before link', 'under another name first'],
    ['after link', 'in place'],
    ['after link', 'under another name first'],
    ['before rename', 'in place'],
  ];
  for (const [moment, way] of moments) {
    for (const by of ['bytes', 'stat'] as const) {
      it(`keeps its text: saved ${way} ${moment}, seen by ${by}`, async (t) => {
        const root = makeRoot(t);
        fs.writeFileSync(`${root}/a.md`, 'seen');
        const stat = await createLocalFiles({ root }).stat('a.md');
        assert.ok(stat);
        const files = createLocalFiles({ root, syscalls: saving(moment, saves[way] ?? assert.fail) });
        const onlyOver = by === 'bytes' ? Buffer.from('seen') : stat;
        await assert.rejects(files.write('a.md', 'new', { onlyOver }), withCode('changed'));
        assert.equal(fs.readFileSync(`${root}/a.md`, 'utf8'), 'edited');
        await files.write('a.md', 'new', { onlyOver: Buffer.from('edited') });
        assert.equal(fs.readFileSync(`${root}/a.md`, 'utf8'), 'new');
        assert.deepEqual(fs.readdirSync(root), ['a.md']);
      });
    }
  }

  it('is overlooked only where the file system has no second names, and nothing stays behind', async (t) => {
    const root = makeRoot(t);
    fs.writeFileSync(`${root}/a.md`, 'seen');
    const linkSync = () => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    };
    const files = createLocalFiles({ root, syscalls: { ...systemCalls, linkSync } });
    await files.write('a.md', 'new', { onlyOver: Buffer.from('seen') });
    assert.equal(fs.readFileSync(`${root}/a.md`, 'utf8'), 'new');
    assert.deepEqual(fs.readdirSync(root), ['a.md']);
  });

  it('leaves nothing behind when the file cannot be replaced', async (t) => {
    const root = makeRoot(t);
    fs.writeFileSync(`${root}/a.md`, 'seen');
    const renameSync = () => {
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
    };
    const files = createLocalFiles({ root, syscalls: { ...systemCalls, renameSync } });
    await assert.rejects(files.write('a.md', 'new', { onlyOver: Buffer.from('seen') }), withCode('io'));
    assert.deepEqual(fs.readdirSync(root), ['a.md']);
  });
});
