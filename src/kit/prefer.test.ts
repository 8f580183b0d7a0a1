import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredWaitMs } from './prefer.ts';

test('a caller says how long it waits', () => {
  const waits: [string | string[] | undefined, number][] = [
    [undefined, 2_000],
    ['return=minimal', 2_000],
    ['respond-async', 0],
    ['Respond-Async; foo=bar', 0],
    ['wait=10', 10_000],
    ['respond-async, wait=5', 5_000],
    [['return=minimal', 'wait="7"'], 7_000],
    ['wait=9999', 60_000],
    ['wait=-1', 2_000],
    ['awaits=3', 2_000],
  ];
  for (const [header, ms] of waits) assert.equal(preferredWaitMs(header), ms, String(header));
});
