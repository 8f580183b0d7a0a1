import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CHANGED_LINES } from './compare.ts';
import { describeDifference, unifiedDiff } from './difference-text.ts';

const labels = { before: 'old.md', after: 'new.md' };

test('a unified diff shows three lines around each change', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}\n`);
  const before = lines.join('');
  assert.equal(unifiedDiff(before, before, labels), '');
  const diff = unifiedDiff(before, before.replace('line 5', 'LINE'), labels).split('\n');
  assert.deepEqual(diff.slice(-12), [
    '--- old.md',
    '+++ new.md',
    '@@ -3,7 +3,7 @@',
    ...[' line 2', ' line 3', ' line 4', '-line 5', '+LINE', ' line 6', ' line 7', ' line 8'],
    '',
  ]);
});

test('texts that differ too much are shown as replaced', () => {
  const text = (word: string, count: number, end = '\n') =>
    Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n') + end;
  const count = MAX_CHANGED_LINES + 1;
  const diff = unifiedDiff(text('a', count), text('b', count + 1, ''), labels);
  assert.ok(diff.includes(`@@ -1,${count} +1,${count + 1} @@\n-a 0\n-a 1\n`));
  assert.ok(diff.includes(`-a ${count - 1}\n+b 0\n`));
  assert.ok(diff.trimEnd().endsWith(`+b ${count}`));
  assert.ok(diff.includes('--- old.md\n+++ new.md\n'));
});

test('a difference is told in one line', () => {
  const nothing = { fields: [], attributes: [], body: [], identical: false };
  type Difference = Parameters<typeof describeDifference>[0];
  const told = (difference: object) => describeDifference({ ...nothing, ...difference } as Difference);
  assert.equal(told({ identical: true }), 'No difference');
  assert.equal(
    told({
      attributes: [{ field: 'name' }, { field: 'status' }],
      fields: [
        { kind: 'added', field: 'a' },
        { kind: 'changed', field: 'b' },
        { kind: 'added', field: 'c' },
        { kind: 'removed', field: 'd' },
      ],
      body: [
        { kind: 'added', lines: ['x', 'y'] },
        { kind: 'same', lines: ['z'] },
        { kind: 'removed', lines: ['w'] },
        { kind: 'added', lines: ['v'] },
      ],
    }),
    'name changed; status changed; 1 field changed: b; 2 fields added: a, c; 1 field removed: d; text +3 −1 lines',
  );
  assert.equal(told({ body: [{ kind: 'removed', lines: ['w'] }] }), 'text +0 −1 lines');
});
