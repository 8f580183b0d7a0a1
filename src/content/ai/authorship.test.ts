import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWords, keptOfHunks, keptOfText, textOfValue } from './authorship.ts';
import { applyHunks, bodyHunks } from './hunks.ts';

test('words of many scripts are counted, marks of markdown are not', () => {
  assert.equal(countWords('## The *old* harbour-master’s house, 1187.'), 5);
  assert.equal(countWords('潮を読む'), 4);
  assert.equal(countWords(textOfValue({ a: ['one two', 3], b: null })), 3);
});

test('only what was generated counts, and what a person changed since is taken off', () => {
  const kept = keptOfText('She waits.', 'She waits for the tide to turn.', 'She waits for a tide to turn.');
  assert.deepEqual(kept, { generated: 5, kept: 4, lines: [1] });
  assert.deepEqual(keptOfText('', 'gone', 'other'), { generated: 1, kept: 0, lines: [] });
});

test('each hunk is found again where its lines are now', () => {
  const base = '# Mira\n\nOne.\n\nTwo.\n';
  const hunks = bodyHunks(base, '# Mira\n\nOne more word.\n\nTwo.\n\nThree is new here.\n');
  const accepted = applyHunks(base, hunks);
  const present = `By hand.\n\n${accepted.replace('is new', 'was')}`;
  const kept = keptOfHunks(base, hunks, present);
  assert.deepEqual(
    [...kept.values()],
    [
      { generated: 2, kept: 2, lines: [5] },
      { generated: 4, kept: 2, lines: [9] },
    ],
  );
  assert.deepEqual(keptOfHunks(base, hunks.slice(1), base).get('h2')?.kept, 0);
});
