import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallLines } from './call-lines.ts';
import type { Line } from './plugin-log.service.ts';

test('a call that is refused again and again leaves room for what it did, in lines of a bounded length', () => {
  const lines = createCallLines(() => assert.fail('nothing is late'));
  for (let index = 0; index < 5_000; index += 1) lines.refused('x'.repeat(1_000_000));
  lines.did('It changed character/mira: want');
  const kept = lines.close();
  assert.ok(kept.length < 100, String(kept.length));
  assert.ok(kept.every(({ message }) => message.length <= 300));
  assert.ok(kept.some(({ message }) => message === 'It changed character/mira: want'));
  assert.equal(kept.at(-1)?.message, 'It was refused 4950 more times');
});

test('an action that ends after its call has a line too', () => {
  const late: Line[] = [];
  const lines = createCallLines((line) => late.push(line));
  assert.deepEqual(lines.close(), []);
  lines.did('It sent POST to hooks.example.com, which answered 200');
  assert.deepEqual(
    late.map(({ kind }) => kind),
    ['did'],
  );
});
