import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLifecycle, type Part } from './lifecycle.ts';
import { silentLog } from './log.ts';

function recorded(...names: string[]) {
  const events: string[] = [];
  const parts: Part[] = names.map((name) => ({
    name,
    start: async () => void events.push(`+${name}`),
    stop: async () => void events.push(`-${name}`),
  }));
  return { events, parts };
}

const lifecycleOf = (parts: Part[], deadlineMs = 1000, log = silentLog) =>
  createLifecycle({ parts, log, deadlineMs });

test('parts start in order and stop in reverse, once', async () => {
  const { events, parts } = recorded('a', 'b', 'c');
  const lifecycle = lifecycleOf(parts);
  await lifecycle.start();
  assert.deepEqual(await Promise.all([lifecycle.stop(), lifecycle.stop()]), [true, true]);
  assert.deepEqual(events, ['+a', '+b', '+c', '-c', '-b', '-a']);
});

test('a failed start takes back what was started', async () => {
  const { events, parts } = recorded('a', 'b');
  const lifecycle = lifecycleOf([...parts, { name: 'c', start: () => Promise.reject(new Error('no disk')) }]);
  await assert.rejects(lifecycle.start(), /c did not start: no disk/);
  assert.deepEqual(events, ['+a', '+b', '-b', '-a']);
});

test('a part that fails to stop does not keep the others', async () => {
  const { events, parts } = recorded('a');
  const lifecycle = lifecycleOf([...parts, { name: 'b', stop: () => Promise.reject(new Error('stuck')) }]);
  await lifecycle.start();
  assert.equal(await lifecycle.stop(), true);
  assert.deepEqual(events, ['+a', '-a']);
});

test('a part that hangs is named at the deadline', async () => {
  const said: string[] = [];
  const log = { ...silentLog, error: (message: string) => void said.push(message) };
  const lifecycle = lifecycleOf([{ name: 'jobs', stop: () => new Promise(() => {}) }], 20, log);
  await lifecycle.start();
  assert.equal(await lifecycle.stop(), false);
  assert.match(said.join(), /jobs does not end/);
});

test('stopping during the start stops what has started and starts no more', async () => {
  const { events, parts } = recorded('a', 'b');
  const lifecycle = lifecycleOf(parts);
  const starting = lifecycle.start();
  await lifecycle.stop();
  await starting;
  assert.deepEqual(events, ['+a', '-a']);
});
