import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJsonInTurns } from './json-in-turns.ts';

const LIMITS = { levels: 100, values: 1_000_000 };

const byTheOther = (text: string): unknown => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return 'no JSON';
  }
};
const inTurns = (text: string): Promise<unknown> =>
  parseJsonInTurns(text, LIMITS).then(
    (value) => ({ value }),
    (error: unknown) => {
      assert.ok(error instanceof SyntaxError, String(error));
      return 'no JSON';
    },
  );

test('answers what JSON.parse does, whatever the text', async () => {
  const marks = fc.constantFrom(
    ...'{}[]":,\\ \n0123e-+.u',
    '__proto__',
    'true',
    'null',
    'é',
    '\u0001',
    '"a"',
  );
  const text = fc.oneof(
    fc.json(),
    fc.json().map((json) => JSON.stringify(JSON.parse(json), null, 2)),
    fc.tuple(fc.json(), fc.nat(), marks).map(([json, at, mark]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + mark + json.slice(place + 1);
    }),
    fc.array(marks).map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(text, async (json) => assert.deepEqual(await inTurns(json), byTheOther(json))),
    { numRuns: 1_000 },
  );
});

test('others have their turn in between', async () => {
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 1);
  try {
    await parseJsonInTurns(JSON.stringify(Array.from({ length: 300_000 }, (_, index) => [index])), LIMITS);
  } finally {
    clearInterval(count);
  }
  assert.ok(turns > 2, `${turns} turns`);
});

test('stops at its limits', async () => {
  const nested = '['.repeat(1_000_000);
  await assert.rejects(parseJsonInTurns(nested, LIMITS), { limit: 'levels' });
  await assert.rejects(parseJsonInTurns('[1,1,1]', { levels: 2, values: 3 }), { limit: 'values' });
});
