import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJsonBody } from './json-body.ts';

test('large bodies that come in the same moment are read in turns of their own', async (t) => {
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  t.after(() => clearImmediate(counting));
  const large = Buffer.from(JSON.stringify({ text: 'sea '.repeat(100_000) }));
  const read = async () => {
    await readJsonBody(large);
    return turn;
  };
  const turns = await Promise.all(Array.from({ length: 5 }, read));
  assert.equal(new Set(turns).size, turns.length, `turns ${turns}`);
});
