import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { mutationsOf, withMutations } from './mutations.mjs';

const TEXT = `const most: Limit<'a'> = 3;
export const few = (items: string[]): boolean => items.filter(Boolean).length <= most && !isOff;
`;

test('operators, literals, results and needless calls are changed, types are not', () => {
  const shown = mutationsOf('a.ts', TEXT).map(
    ({ start, end, by, line }) => `${line}: ${TEXT.slice(start, end)} → ${by}`,
  );
  const both = 'items.filter(Boolean).length <= most && !isOff';
  assert.deepEqual(shown, [
    '1: 3 → 4',
    `2: ${both} → undefined`,
    `2: ${both} → items.filter(Boolean).length <= most || !isOff`,
    '2: items.filter(Boolean).length <= most → items.filter(Boolean).length < most',
    '2: items.filter(Boolean).length <= most → items.filter(Boolean).length > most',
    '2: items.filter(Boolean) → items',
    '2: !isOff → isOff',
  ]);
});

test('the chosen mutation alone changes what the text does', () => {
  const text = 'var sum = 0; for (const number of [1, 2]) { if (number > 1) sum += number; } sum;';
  const mutations = mutationsOf('a.mjs', text);
  const written = withMutations(text, mutations, 10);
  const run = (chosen) => {
    globalThis.$mutated = (id) => id === chosen;
    return runInThisContext(written);
  };
  assert.equal(run(0), 2);
  const results = mutations.map(({ by }, index) => `${by}: ${run(10 + index)}`);
  assert.ok(results.includes('true: 3'), results.join(', '));
  assert.ok(results.includes('false: 0'));
  assert.ok(results.includes('sum -= number: -2'));
  assert.ok(results.includes(';: 0'));
});
