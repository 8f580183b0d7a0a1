import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newUploadFolder, removeOldUploads } from './upload-folders.ts';

test('each folder is new, and gone once it is discarded', async (t) => {
  const parent = join(mkdtempSync(join(tmpdir(), 'uploads-')), 'uploads');
  t.after(() => rmSync(parent, { recursive: true }));
  const [one, other] = [await newUploadFolder(parent), await newUploadFolder(parent)];
  assert.equal(readdirSync(parent).length, 2);
  await one.discard();
  assert.deepEqual([existsSync(one.path), existsSync(other.path)], [false, true]);
});

test('what a crash left behind goes after a day', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'old-uploads-'));
  for (const name of ['upload-old', 'upload-new', 'other']) mkdirSync(join(folder, name));
  const old = new Date(Date.now() - 25 * 3_600_000);
  for (const name of ['upload-old', 'other']) utimesSync(join(folder, name), old, old);
  await removeOldUploads(folder, Date.now());
  assert.deepEqual(readdirSync(folder).sort(), ['other', 'upload-new']);
  rmSync(folder, { recursive: true });
  await removeOldUploads(folder, Date.now());
});
