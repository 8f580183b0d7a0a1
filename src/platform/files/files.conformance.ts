import assert from 'node:assert/strict';
import { hash, randomFillSync } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import {
  type FileDigest,
  type FileScanner,
  type FileStat,
  type FileStore,
  FilesError,
  type FilesErrorCode,
  type RemoteScanner,
} from './files.ts';

export interface FilesUnderTest {
  files: FileStore;
  scanner: FileScanner | RemoteScanner;
}

export interface FilesConformanceOptions {
  /** Reading a file that was replaced while open fails instead of returning the old bytes. */
  losesReplaced?: boolean;
  /** Files in the largest walk. */
  many?: number;
}

/** `makeStore` returns an empty store and cleans up after the test. */
export function filesConformance(
  name: string,
  makeStore: (t: TestContext) => Promise<FilesUnderTest>,
  { losesReplaced = false, many = 1_100 }: FilesConformanceOptions = {},
): void {
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
      assert.deepEqual(await walked(scanner, 'Characters/aldo/CHAR_aldo.md'), [stat]);
      assert.equal(Buffer.from(await readBy(scanner, 'Characters/aldo/CHAR_aldo.md')).toString(), 'ä');
      assert.ok(Math.abs(stat.mtimeMs - Date.now()) < 60_000);
    });

    it('keeps an empty file and one of several megabytes, and tells what they are', async (t) => {
      const { files, scanner } = await makeStore(t);
      const sizes = [0, 3, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000];
      for (const size of sizes) {
        const bytes = randomFillSync(Buffer.alloc(size));
        await files.write(`a/${size}.bin`, bytes);
        assert.ok(bytes.equals(await files.read(`a/${size}.bin`)));
        const { sha256, head } = await digestBy(scanner, `a/${size}.bin`);
        assert.deepEqual(
          [sha256, Buffer.from(head)],
          [hash('sha256', bytes), Buffer.from(bytes.subarray(0, 100))],
        );
      }
      await rejects(digestBy(scanner, 'a/none.bin'), 'not_found');
    });

    it('lists a hidden folder to whoever names it', async (t) => {
      const { files } = await makeStore(t);
      await files.write('.canonry/own/a.json', '{}');
      await files.write('.canonry/own/more/b.json', '{}');
      const entries = await files.list('.canonry/own');
      assert.deepEqual(entries.map(({ name, kind }) => `${kind} ${name}`).sort(), [
        'file a.json',
        'folder more',
      ]);
    });

    it('writes many at once: each is new or refused by itself', async (t) => {
      const { files } = await makeStore(t);
      await files.write('a/there.md', 'old');
      const more = Array.from({ length: 40 }, (_, n) => ({ path: `n/${n}/file.md`, content: `text ${n}` }));
      const results = await files.writeMany([
        { path: 'a/there.md', content: 'new' },
        { path: 'a', content: 'a folder is in the way' },
        ...more,
        { path: 'b/new.md', content: Uint8Array.of(1, 2, 3), ifAbsent: true },
        { path: '../out.md', content: 'x' },
      ]);
      const refused = results.flatMap((result, n) =>
        result.status === 'rejected' ? [[n, result.reason.code]] : [],
      );
      assert.deepEqual(refused, [
        [1, 'not_a_file'],
        [43, 'bad_path'],
      ]);
      assert.equal(await textOf(files, 'a/there.md'), 'new');
      for (const { path, content } of more) assert.equal(await textOf(files, path), content);
      const [first] = results;
      assert.deepEqual(first?.status === 'fulfilled' && first.value, await files.stat('a/there.md'));
      const [again] = await files.writeMany([{ path: 'b/new.md', content: 'x', ifAbsent: true }]);
      assert.equal(again?.status === 'rejected' && again.reason.code, 'exists');
      assert.equal((await files.read('b/new.md')).length, 3);
      const [few] = await files.writeMany([{ path: 'b/few.md', content: 'x' }]);
      assert.equal(few?.status, 'fulfilled');
      assert.deepEqual(await files.writeMany([]), []);
    });

    it('writes many into new folders, and into none that is there', async (t) => {
      const { files } = await makeStore(t);
      await files.write('a/old/there.md', 'old');
      await files.write('a/file', 'a file');
      const results = await files.writeMany(
        ['a/new/one.md', 'b/c/two.md', 'a/old/three.md', 'a/file/four.md', 'five.md'].map((path) => ({
          path,
          content: 'new',
          newFolder: true,
        })),
      );
      const isWritten = results.map(({ status }) => status === 'fulfilled');
      assert.deepEqual(isWritten, [true, true, false, false, false]);
      assert.equal(results[2]?.status === 'rejected' && results[2].reason.code, 'exists');
      assert.deepEqual(await files.list('a/old'), [{ name: 'there.md', kind: 'file' }]);
      assert.equal(await textOf(files, 'b/c/two.md'), 'new');
      assert.equal((await files.list('')).length, 2);
      await files.write('d/e/six.md', 'new', { newFolder: true });
      assert.equal(await textOf(files, 'd/e/six.md'), 'new');
      for (const path of ['d/e/seven.md', 'd/eight.md', 'nine.md'])
        await rejects(files.write(path, 'new', { newFolder: true }), 'exists');
      assert.deepEqual(await files.list('d'), [{ name: 'e', kind: 'folder' }]);
    });

    it('writes very many into new folders, each as one would be', async (t) => {
      const { files } = await makeStore(t);
      await files.write('a/8/there.md', 'old');
      await files.write('a/9', 'a file');
      const paths = Array.from({ length: 40 }, (_, index) => `a/${index}/new ${index}.md`);
      const odd = { path: '../out/of it.md', content: 'x', newFolder: true };
      const known = { path: 'a/8/there.md', content: 'newer', onlyOver: Buffer.from('old') };
      const results = await files.writeMany([
        ...paths.map((path) => ({ path, content: path, ifAbsent: true, newFolder: true })),
        odd,
        known,
      ]);
      const refused = results.flatMap((result, index) => (result.status === 'rejected' ? index : []));
      assert.deepEqual(refused, [8, 9, 40]);
      for (const [index, path] of paths.entries()) {
        if (refused.includes(index)) continue;
        assert.equal(await textOf(files, path), path);
        const result = results[index];
        assert.deepEqual(result?.status === 'fulfilled' && result.value, await files.stat(path));
      }
      assert.equal(await textOf(files, 'a/8/there.md'), 'newer');
      assert.deepEqual(
        (await files.list('a/10')).map(({ name }) => name),
        ['new 10.md'],
      );
    });

    it('writes over the bytes that are named, and over no others', async (t) => {
      const { files } = await makeStore(t);
      const old = Buffer.from('old');
      await files.write('a.md', old);
      await files.write('b.md', 'edited');
      const results = await files.writeMany([
        { path: 'a.md', content: 'new', onlyOver: old },
        { path: 'b.md', content: 'new', onlyOver: old },
        { path: 'none.md', content: 'new', onlyOver: old },
      ]);
      const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'written'));
      assert.deepEqual(codes, ['written', 'changed', 'not_found']);
      assert.deepEqual([await textOf(files, 'a.md'), await textOf(files, 'b.md')], ['new', 'edited']);
      await rejects(files.write('a.md', 'newer', { onlyOver: old }), 'changed');
      assert.equal((await files.list('')).length, 2);
    });

    it('writes over the file that a stat tells of, and over no other', async (t) => {
      const { files } = await makeStore(t);
      const first = await files.write('a.md', 'first');
      const second = await files.write('a.md', 'second', { onlyOver: first });
      await rejects(files.write('a.md', 'third', { onlyOver: first }), 'changed');
      await rejects(files.write('none.md', 'third', { onlyOver: first }), 'not_found');
      assert.equal(await textOf(files, 'a.md'), 'second');
      await files.write('a.md', 'third', { onlyOver: second });
      assert.deepEqual([await textOf(files, 'a.md'), (await files.list('')).length], ['third', 1]);
    });

    it('writes piece by piece, and leaves the old bytes when the pieces break off', async (t) => {
      const { files } = await makeStore(t);
      async function* pieces(breaksOff: boolean) {
        yield Buffer.from('first ');
        yield Buffer.from('second');
        if (breaksOff) throw new Error('the sender is gone');
      }
      const stat = await files.write('film.mp4', pieces(false));
      assert.equal(stat.size, 12);
      assert.equal(await textOf(files, 'film.mp4'), 'first second');
      await assert.rejects(files.write('film.mp4', pieces(true)));
      await assert.rejects(files.write('other.mp4', pieces(true)));
      assert.equal(await textOf(files, 'film.mp4'), 'first second');
      assert.deepEqual(await files.list(''), [{ name: 'film.mp4', kind: 'file' }]);
    });

    it('streams a file or a part of it, as it was when it was opened', async (t) => {
      const { files } = await makeStore(t);
      const stat = await files.write('a.txt', 'abcdefghij');
      const open = async (range?: { start: number; end: number }) => {
        const file = await files.open('a.txt');
        assert.deepEqual(file.stat, stat);
        return Buffer.concat(await file.stream(range).toArray()).toString();
      };
      assert.equal(await open(), 'abcdefghij');
      assert.equal(await open({ start: 3, end: 5 }), 'def');
      const held = await files.open('a.txt');
      await files.write('a.txt', 'other');
      const reading = held.stream().toArray();
      if (losesReplaced) await assert.rejects(reading, FilesError);
      else assert.equal(Buffer.concat(await reading).toString(), 'abcdefghij');
      (await files.open('a.txt')).close();
      await files.write('empty', '');
      assert.deepEqual(await (await files.open('empty')).stream().toArray(), []);
      await rejects(files.open('none.txt'), 'not_found');
      await rejects(files.open('../a.txt'), 'bad_path');
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
      assert.deepEqual(await scanned(scanner), [...paths].sort());
    });

    it('moves files and folders, making parents, and never onto something', async (t) => {
      const { files } = await makeStore(t);
      await files.write('a/one.md', '1');
      await files.write('b/two.md', '2');
      await files.move('a', 'c/d');
      assert.equal(await textOf(files, 'c/d/one.md'), '1');
      assert.equal(await files.stat('a/one.md'), undefined);
      await files.write('c/d/three.md', '3');
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
      assert.deepEqual(await scanned(scanner), []);
      await rejects(files.remove('a'), 'not_found');
    });

    it('removes a file only where it has the bytes that are named, and a folder only where it is empty', async (t) => {
      const { files } = await makeStore(t);
      await files.write('a/one.md', 'seen');
      await rejects(files.removeOnly('a/one.md', Buffer.from('other')), 'changed');
      assert.equal(await textOf(files, 'a/one.md'), 'seen');
      assert.equal(await files.removeEmptyFolder('a'), false);
      await files.removeOnly('a/one.md', Buffer.from('seen'));
      await rejects(files.read('a/one.md'), 'not_found');
      await rejects(files.removeOnly('a/one.md', Buffer.from('seen')), 'not_found');
      await files.removeEmptyFolder('a');
      await rejects(files.list('a'), 'not_found');
      assert.equal(await files.removeEmptyFolder('a'), false);
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
      assert.deepEqual(await walked(scanner, 'absent/one.md'), []);
      await rejects(files.read('a'), 'not_a_file');
      await rejects(files.read('absent.md'), 'not_found');
      await rejects(files.write('a', 'x'), 'not_a_file');
      await rejects(files.write('a/one.md/x', 'x'), 'not_a_folder');
      await rejects(readBy(scanner, 'absent.md'), 'not_found');
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
        await rejects(readBy(scanner, path), 'bad_path');
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
      for (const name of ['Thumbs.db', 'desktop.ini', '._one.md', '@eaDir/one.md'])
        await files.write(`a/${name}`, 'x');
      assert.deepEqual(await scanned(scanner), ['_Templates/Core/T.md', 'a/b/two.md', 'a/one.md']);
      assert.deepEqual(await scanned(scanner, 'a/b'), ['a/b/two.md']);
      assert.deepEqual(await scanned(scanner, 'a/one.md'), ['a/one.md']);
      assert.deepEqual(await scanned(scanner, 'absent/b'), []);
      assert.deepEqual(await scanned(scanner, '.git'), []);
    });

    it('walks many files with the same figures as stat', async (t) => {
      const { files, scanner } = await makeStore(t);
      const paths = Array.from({ length: many }, (_, index) => `Items/i${index}/ITEM_i${index}.md`);
      await Promise.all(paths.map((path) => files.write(path, path)));
      if ('scan' in scanner) assert.ok([...scanner.scan()].length > 1);
      const found = await walked(scanner);
      assert.equal(found.length, paths.length);
      assert.deepEqual(found[0], await files.stat(found[0]?.path ?? ''));
    });

    it('is ready, and says how a worker opens it', async (t) => {
      const { files, scanner } = await makeStore(t);
      await files.probe();
      assert.deepEqual(await files.describe(), await files.describe());
      if ('scan' in scanner) assert.equal(scanner.rootExists(), true);
      assert.equal(await files.cleanTemporaryFiles(), 0);
    });
  });
}

type AnyScanner = FilesUnderTest['scanner'];

async function walked(scanner: AnyScanner, under?: string): Promise<FileStat[]> {
  if (!('scan' in scanner)) return (await scanner.list(under === undefined ? undefined : [under])).files;
  return [...scanner.scan(under === undefined ? {} : { under })].flatMap((batch) => batch.files);
}

export const scanned = async (scanner: AnyScanner, under?: string): Promise<string[]> =>
  (await walked(scanner, under)).map(({ path }) => path).sort();

const readBy = async (scanner: AnyScanner, path: string): Promise<Uint8Array> =>
  'scan' in scanner ? scanner.readSync(path) : scanner.read(path);

const digestBy = async (scanner: AnyScanner, path: string): Promise<FileDigest> =>
  'scan' in scanner ? scanner.digestSync(path, 100) : scanner.digest(path, 100);

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
