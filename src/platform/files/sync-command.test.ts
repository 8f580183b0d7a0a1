import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
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

test('answers whoever asks after no process could be started', async (t) => {
  const sync = createSyncCommand();
  t.after(() => delete process.env.CANONRY_TEST_TOO_LONG);
  process.env.CANONRY_TEST_TOO_LONG = 'x'.repeat(300_000);
  await assert.rejects(sync(tmpdir()), /E2BIG/);
  delete process.env.CANONRY_TEST_TOO_LONG;
  const isAnswered = sync(tmpdir()).then(() => true);
  assert.equal(await Promise.race([isAnswered, delay(10_000, false, { ref: false })]), true);
});
