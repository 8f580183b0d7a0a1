import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type FileScanner, type FileStore, FilesError, type FilesErrorCode } from './files.ts';

export interface FilesUnderTest {
  files: FileStore;
  scanner: FileScanner;
}

/** What every store and its scanner must do; `makeStore` gives an empty one and cleans up after the test. */
export function filesConformance(name: string, makeStore: (t: TestContext) => Promise<FilesUnderTest>): void {
  describe(`files: ${name}`, () => {
    it('reads back what was written, bytes and text, and replaces it as a whole', async (t) => {
      const { files, scanner } = await makeStore(t);
      const bytes = Uint8Array.of(0, 255, 13, 10, 0xef, 0xbb, 0xbf);
      await files.write('Characters/aldo/CHAR_aldo.md', bytes);
      assert.deepEqual(Uint8Array.from(await files.read('Characters/aldo/CHAR_aldo.md')), bytes);
      const stat = await files.write('Characters/aldo/CHAR_aldo.md', 'ä');
      assert.equal(await textOf(files, 'Characters/aldo/CHAR_aldo.md'), 'ä');
      assert.equal(stat.size, 2);
      assert.deepEqual(await files.stat('Characters/aldo/CHAR_aldo.md'), stat);
      assert.deepEqual(scanner.statSync('Characters/aldo/CHAR_aldo.md'), stat);
      assert.equal(Buffer.from(scanner.readSync('Characters/aldo/CHAR_aldo.md')).toString(), 'ä');
      const large = Buffer.alloc(2_500_000, 'large');
      await files.write('Characters/aldo/film.mp4', large);
      const pieces = Array.from(scanner.chunksSync('Characters/aldo/film.mp4'), (piece) =>
        Buffer.from(piece),
      );
      assert.ok(Buffer.concat(pieces).equals(large));
      assert.throws(() => [...scanner.chunksSync('Characters/aldo/none.mp4')], { code: 'not_found' });
      assert.ok(Math.abs(stat.mtimeMs - Date.now()) < 60_000);
    });

    it('keeps an empty file and one of several megabytes', async (t) => {
      const { files } = await makeStore(t);
      const large = Buffer.alloc(3_000_000, 'abcdefg');
      await files.write('empty.md', '');
      await files.write('large.bin', large);
      assert.equal((await files.read('empty.md')).length, 0);
      assert.ok(large.equals(await files.read('large.bin')));
    });

    it('gives a replaced file another ino or ctime, so that a change is seen', async (t) => {
      const { files } = await makeStore(t);
      const first = await files.write('a.md', 'one');
      const second = await files.write('a.md', 'two');
      assert.notDeepEqual([first.ino, first.ctimeMs], [second.ino, second.ctimeMs]);
    });

    it('lets one of many parallel ifAbsent writers win', async (t) => {
      const { files } = await makeStore(t);
      const attempts = Array.from({ length: 20 }, (_, index) =>
        files.write('new/a.md', `writer ${index}`, { ifAbsent: true }).then(() => index, codeOf),
      );
      const results = await Promise.all(attempts);
      const winners = results.filter((result) => typeof result === 'number');
      assert.equal(winners.length, 1);
      assert.deepEqual(new Set(results.filter((result) => typeof result !== 'number')), new Set(['exists']));
      assert.equal(await textOf(files, 'new/a.md'), `writer ${winners[0]}`);
      assert.deepEqual(await files.list('new'), [{ name: 'a.md', kind: 'file' }]);
    });

    it('keeps every one of many parallel writes to different files', async (t) => {
      const { files, scanner } = await makeStore(t);
      const paths = Array.from({ length: 60 }, (_, index) => `Items/folder${index % 7}/f${index}.md`);
      await Promise.all(paths.map((path) => files.write(path, path)));
      for (const path of paths) assert.equal(await textOf(files, path), path);
      assert.deepEqual(scanned(scanner), [...paths].sort());
    });

    it('moves files and folders, making parents, and never onto something', async (t) => {
      const { files } = await makeStore(t);
      await files.write('a/one.md', '1');
      await files.write('b/two.md', '2');
      await files.move('a', 'c/d');
      assert.equal(await textOf(files, 'c/d/one.md'), '1');
      assert.equal(await files.stat('a/one.md'), undefined);
      await files.move('c/d/one.md', 'b/one.md');
      assert.equal(await textOf(files, 'b/one.md'), '1');
      await rejects(files.move('b/one.md', 'b/two.md'), 'exists');
      await rejects(files.move('b/one.md', 'c/d'), 'exists');
      await rejects(files.move('b', 'b/inside'), 'bad_path');
      await rejects(files.move('absent', 'e'), 'not_found');
      assert.equal(await textOf(files, 'b/two.md'), '2');
    });

    it('removes files and whole folders', async (t) => {
      const { files, scanner } = await makeStore(t);
      await files.write('a/deep/er/one.md', '1');
      await files.write('a/two.md', '2');
      await files.remove('a/two.md');
      await rejects(files.read('a/two.md'), 'not_found');
      await files.remove('a');
      assert.deepEqual(await files.list(''), []);
      assert.deepEqual(scanned(scanner), []);
      await rejects(files.remove('a'), 'not_found');
    });

    it('lists a folder, and says when there is none', async (t) => {
      const { files } = await makeStore(t);
      await files.write('a/one.md', '1');
      await files.write('two.md', '2');
      const names = (await files.list('')).sort((x, y) => x.name.localeCompare(y.name));
      assert.deepEqual(names, [
        { name: 'a', kind: 'folder' },
        { name: 'two.md', kind: 'file' },
      ]);
      await rejects(files.list('absent'), 'not_found');
      await rejects(files.list('two.md'), 'not_a_folder');
    });

    it('tells folders, missing files and files used as folders apart', async (t) => {
      const { files, scanner } = await makeStore(t);
      await files.write('a/one.md', '1');
      assert.equal(await files.stat('a'), undefined);
      assert.equal(await files.stat('absent/one.md'), undefined);
      assert.equal(await files.stat('a/one.md/x'), undefined);
      assert.equal(scanner.statSync('absent/one.md'), undefined);
      await rejects(files.read('a'), 'not_a_file');
      await rejects(files.read('absent.md'), 'not_found');
      await rejects(files.write('a', 'x'), 'not_a_file');
      await rejects(files.write('a/one.md/x', 'x'), 'not_a_folder');
      assert.throws(() => scanner.readSync('absent.md'), withCode('not_found'));
      assert.equal(await textOf(files, 'a/one.md'), '1');
    });

    it('refuses every path that could leave the root', async (t) => {
      const { files, scanner } = await makeStore(t);
      for (const path of [
        '',
        '/etc/passwd',
        '../x',
        'a/../../x',
        'a/./b',
        'a//b',
        'a/',
        'a\\b',
        'a\0b',
        '..',
      ]) {
        await rejects(files.read(path), 'bad_path');
        await rejects(files.write(path, 'x'), 'bad_path');
        await rejects(files.stat(path), 'bad_path');
        await rejects(files.remove(path), 'bad_path');
        await rejects(files.move(path, 'b'), 'bad_path');
        assert.throws(() => scanner.readSync(path), withCode('bad_path'));
      }
      await files.write('a.md', '1');
      await rejects(files.move('a.md', '../a.md'), 'bad_path');
      await rejects(files.list('..'), 'bad_path');
    });

    it('walks all content or a part of it, without hidden entries', async (t) => {
      const { files, scanner } = await makeStore(t);
      for (const path of ['a/one.md', 'a/b/two.md', '_Templates/Core/T.md', '.git/config', 'a/.DS_Store']) {
        await files.write(path, path);
      }
      await files.write('node_modules/x/readme.md', 'x');
      assert.deepEqual(scanned(scanner), ['_Templates/Core/T.md', 'a/b/two.md', 'a/one.md']);
      assert.deepEqual(scanned(scanner, 'a/b'), ['a/b/two.md']);
      assert.deepEqual(scanned(scanner, 'a/one.md'), ['a/one.md']);
      assert.deepEqual(scanned(scanner, 'absent/b'), []);
      assert.deepEqual(scanned(scanner, '.git'), []);
    });

    it('walks many files in batches with the same figures as stat', async (t) => {
      const { files, scanner } = await makeStore(t);
      const paths = Array.from({ length: 1_100 }, (_, index) => `Items/i${index}/ITEM_i${index}.md`);
      await Promise.all(paths.map((path) => files.write(path, path)));
      const batches = [...scanner.scan()];
      assert.ok(batches.length > 1);
      const found = batches.flatMap((batch) => batch.files);
      assert.equal(found.length, paths.length);
      assert.deepEqual(found[0], await files.stat(found[0]?.path ?? ''));
    });

    it('is ready, and says how a worker opens it', async (t) => {
      const { files, scanner } = await makeStore(t);
      await files.probe();
      assert.equal(files.describe().kind, files.kind);
      assert.equal(scanner.rootExists(), true);
      assert.equal(await files.cleanTemporaryFiles(), 0);
    });
  });
}

/** The paths of a walk, sorted. */
export function scanned(scanner: FileScanner, under?: string): string[] {
  const batches = scanner.scan(under === undefined ? {} : { under });
  return [...batches].flatMap((batch) => batch.files.map((file) => file.path)).sort();
}

/** For `assert.rejects` and `assert.throws`. */
export function withCode(code: FilesErrorCode): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof FilesError, String(error));
    assert.equal(error.code, code, error.message);
    return true;
  };
}

async function rejects(promise: Promise<unknown>, code: FilesErrorCode): Promise<void> {
  await assert.rejects(promise, withCode(code));
}

async function textOf(files: FileStore, path: string): Promise<string> {
  return Buffer.from(await files.read(path)).toString();
}

function codeOf(error: unknown): string {
  return error instanceof FilesError ? error.code : String(error);
}
