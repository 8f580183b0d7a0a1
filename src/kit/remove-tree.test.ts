import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { removeTree } from './remove-tree.ts';

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'remove-tree-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('removes a folder with all below it, and nothing that a link in it leads to', async (t) => {
  const folder = newFolder(t);
  const kept = join(folder, 'kept.md');
  writeFileSync(kept, 'kept');
  const tree = join(folder, 'tree');
  mkdirSync(join(tree, 'deep', 'deeper'), { recursive: true });
  writeFileSync(join(tree, 'deep', '.hidden'), '');
  symlinkSync(folder, join(tree, 'link'));
  await removeTree(tree);
  assert.equal(existsSync(tree), false);
  assert.equal(existsSync(kept), true);
  await removeTree(tree);
  await removeTree(kept);
  assert.deepEqual(readdirSync(folder), []);
});

test('whoever works with other files does not wait until all of a large folder are gone', async (t) => {
  const folder = newFolder(t);
  const other = join(folder, 'other.md');
  writeFileSync(other, 'other');
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  const count = 4_000;
  for (let at = 0; at < count; at += 1) writeFileSync(join(tree, `${at}.md`), '');
  const removing = removeTree(tree);
  while (readdirSync(tree).length === count) await turn();
  await readFile(other);
  assert.ok(readdirSync(tree).length > count / 2);
  await removing;
});
