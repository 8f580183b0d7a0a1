import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createLocalFiles } from '../../platform/files/adapters/local-files.ts';
import type { FileStat, FileStore } from '../../platform/files/files.ts';
import { createOwnWrites } from './own-writes.ts';

describe('own writes', () => {
  let root: string;
  let files: FileStore;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'canonry-own-'));
    files = createLocalFiles({ root });
  });
  after(() => rmSync(root, { recursive: true }));

  const write = (path: string): Promise<FileStat> => files.write(path, 'ours');

  test('are no news once they are stored, and neither is the folder that was made for one', async () => {
    const own = createOwnWrites(files);
    const end = own.begin([
      { path: 'People/ada/ada.md', newFolder: true },
      { path: 'People/bob/bob.md', newFolder: false },
    ]);
    const asked = own.news(['People/ada/ada.md', 'People/ada', 'People/bob/bob.md', 'People/bob', 'People']);
    let isAnswered = false;
    void asked.then(() => {
      isAnswered = true;
    });
    const stats = [await write('People/ada/ada.md'), await write('People/bob/bob.md')];
    assert.equal(isAnswered, false, 'what is under way is waited for');
    end(stats);
    assert.deepEqual(await asked, ['People/bob', 'People']);
    assert.deepEqual([own.isOwn('People/ada'), own.isOwn('People/bob')], [true, false]);
  });

  test('are news where somebody wrote since, where the file is gone, and where nothing was stored', async () => {
    const own = createOwnWrites(files);
    const paths = ['a.md', 'b.md', 'c.md', 'd.md'];
    const end = own.begin(paths.map((path) => ({ path, newFolder: false })));
    const [a, b, , d] = await Promise.all(paths.map(write));
    end([a, b, d].flatMap((stat) => stat ?? []));
    writeFileSync(join(root, 'a.md'), 'theirs');
    rmSync(join(root, 'b.md'));
    assert.deepEqual(await own.news(paths), ['a.md', 'b.md', 'c.md']);
  });

  test('are told from what others make at their places later', (t) => {
    const own = createOwnWrites(files);
    own.begin([{ path: 'People/eve/eve.md', newFolder: true }])([]);
    assert.equal(own.isOwn('People/eve'), true);
    const later = performance.now() + 60_000;
    t.mock.method(performance, 'now', () => later);
    assert.equal(own.isOwn('People/eve'), false);
  });

  test('of the same file count as they were last', async () => {
    const own = createOwnWrites(files);
    for (let times = 0; times < 2; times += 1) {
      const end = own.begin([{ path: 'e.md', newFolder: false }]);
      end([await write('e.md')]);
    }
    assert.deepEqual(await own.news(['e.md']), []);
    own.begin([{ path: 'e.md', newFolder: false }])([]);
    assert.deepEqual(await own.news(['e.md']), ['e.md']);
  });
});
