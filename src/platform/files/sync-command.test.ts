import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { createSyncCommand } from './sync-command.ts';

test('syncs a file system again and again, says where it cannot, and goes on after that', async () => {
  const sync = createSyncCommand();
  await Promise.all([sync(tmpdir()), sync('/'), sync(tmpdir())]);
  const missing = sync(`${tmpdir()}/is not there`);
  const present = sync(`${tmpdir()}/`);
  await assert.rejects(missing, /could not be synced/);
  await present;
  await assert.rejects(sync('/a\n/b'), /several lines/);
});
