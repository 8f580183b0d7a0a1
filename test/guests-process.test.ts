import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { runInProcess } from '../src/kit/run-in-process.ts';
import type { Preparation } from '../src/platform/guests/adapters/prepare-guest.worker.ts';
import { CELL, type ThreadStart } from '../src/platform/guests/adapters/thread/messages.ts';
import { buildGuest, guestSource } from './support/guests/build-guest.ts';

const BUILT = process.env.CANONRY_TEST_PROGRAM;

const script = (name: string): URL =>
  BUILT
    ? new URL(`${name}.worker.js`, pathToFileURL(BUILT))
    : new URL(`../src/platform/guests/adapters/${name}.worker.ts`, import.meta.url);

test('the program that is shipped translates a guest and runs it', async (t) => {
  const component = await buildGuest(guestSource('conformance-guest'));
  const limits = { mostMs: 60_000 };
  const answer = await runInProcess<Preparation>(script('prepare-guest'), { component }, limits);
  assert.ok('prepared' in answer);

  const shared = new Int32Array(new SharedArrayBuffer(CELL.count * Int32Array.BYTES_PER_ELEMENT));
  const start: ThreadStart = { prepared: answer.prepared, shared };
  const thread = new Worker(script('guest'), { workerData: start, env: {} });
  t.after(() => thread.terminate());
  const [{ workedMs, ...begun }] = await once(thread, 'message');
  assert.deepEqual(begun, { type: 'done', result: null, isLast: false });
  assert.ok(workedMs >= 0);
  thread.postMessage({ interface: 'canonry:plugin/metadata@1.0.0', method: 'getInfo', args: [] });
  const [{ result }] = await once(thread, 'message');
  assert.equal(result.name, 'Conformance');
});
