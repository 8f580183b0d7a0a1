import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { readRange } from './ranges.ts';

test('a range is one part, the whole, or none', () => {
  const cases: [string | undefined, ReturnType<typeof readRange>][] = [
    [undefined, 'whole'],
    ['bytes=0-3', { start: 0, end: 3 }],
    ['bytes=4-', { start: 4, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=9-99', { start: 9, end: 9 }],
    ['bytes=0-99999999999999999999', { start: 0, end: 9 }],
    [`bytes=3-${'9'.repeat(500)}`, { start: 3, end: 9 }],
    [`bytes=-${'9'.repeat(500)}`, { start: 0, end: 9 }],
    ['Bytes=1-1', { start: 1, end: 1 }],
    ['bytes=10-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=5-2', 'whole'],
    ['bytes=-', 'whole'],
    ['lines=1-2', 'whole'],
    ['bytes=a-b', 'whole'],
    [`bytes=${'9'.repeat(500)}-`, 'none'],
    [`bytes=0-1${' '.repeat(500)},3-4`, 'whole'],
  ];
  for (const [header, expected] of cases) assert.deepEqual(readRange(header, 10), expected, header);
  assert.equal(readRange('bytes=0-', 0), 'none');
  assert.equal(readRange('bytes=-1', 0), 'none');
});

test('whatever a header says, a part lies within the file', () => {
  const position = fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 10n ** 400n }));
  fc.assert(
    fc.property(position, position, fc.nat(1_000), (from, to, size) => {
      for (const header of [`bytes=${from}-${to}`, `bytes=${from}-`, `bytes=-${to}`]) {
        const range = readRange(header, size);
        if (typeof range === 'object') {
          assert.ok(range.start >= 0 && range.start <= range.end && range.end < size, header);
        }
      }
    }),
  );
});
