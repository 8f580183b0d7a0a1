import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textChoices } from './text-conflict.ts';

const base = 'One.\nTwo.\nThree.\nFour.\nFive.\n';
const mine = 'One, mine.\nTwo.\nThree, mine.\nFour.\nFive.\n';
const theirs = 'One.\nTwo.\nThree, theirs.\nFour.\nFive, theirs.\n';

test('each choice settles the lines that both changed, and keeps what only one of them changed', () => {
  assert.deepEqual(textChoices({ base, mine, theirs }), {
    mine: 'One, mine.\nTwo.\nThree, mine.\nFour.\nFive, theirs.\n',
    theirs: 'One, mine.\nTwo.\nThree, theirs.\nFour.\nFive, theirs.\n',
    both: 'One, mine.\nTwo.\nThree, mine.\nThree, theirs.\nFour.\nFive, theirs.\n',
    places: [{ line: 3, mine: 'Three, mine.', theirs: 'Three, theirs.' }],
  });
});

test('a line that one deleted and the other changed is kept once by both', () => {
  const without = base.replace('Three.\n', '');
  assert.equal(textChoices({ base, mine: without, theirs }).both, theirs);
});
