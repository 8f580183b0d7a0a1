import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { until } from '../../../../test/support/until.ts';
import { createNewFolders } from './new-folders.ts';

it('finds what appears in a new folder while it is not watched yet, and has new folders below it watched, its own too', async (t) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'canonry-new-'));
  t.after(() => fs.rmSync(root, { recursive: true }));
  fs.mkdirSync(`${root}/a/.git`, { recursive: true });
  fs.writeFileSync(`${root}/a/.git/config`, '');
  fs.writeFileSync(`${root}/a/early.md`, '');
  fs.mkdirSync(`${root}/a/own`);
  fs.writeFileSync(`${root}/a/own/own.md`, '');
  const seen: string[][] = [];
  const watched: string[] = [];
  const follow = createNewFolders({
    root,
    signal: new AbortController().signal,
    isOwn: (folder) => folder === 'a/own',
    onPaths: (paths) => seen.push(paths),
    watch: async (folder) => {
      watched.push(folder);
      // The file is made while the watch is being set up.
      if (fs.existsSync(`${root}/a/b`)) fs.writeFileSync(`${root}/a/b/last.md`, '');
    },
  });
  const done = follow('a');
  await until(() => seen.length > 0);
  assert.deepEqual([seen, watched], [[['a/early.md']], ['a']]);
  fs.mkdirSync(`${root}/a/b`);
  await done;
  assert.deepEqual(watched, ['a', 'a']);
  assert.deepEqual(seen.at(-1)?.sort(), ['a/b/last.md', 'a/early.md']);
});
