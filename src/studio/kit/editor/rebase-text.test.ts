import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/support/properties.ts';
import { changesBetween, rebaseText, textOf } from './rebase-text.ts';

const PIECES = ['a', 'b', 'the ', '\n', '\r\n', '\r', 'e\u0301', '😀', '😁', '🏳️‍🌈', '[[', '\u2028', '\0'];
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));

interface Edit {
  at: number;
  deleted: number;
  inserted: string;
}

const editsWith = (words: readonly string[]) =>
  fc.array(
    fc.record({
      at: fc.nat({ max: 1_000 }),
      deleted: fc.nat({ max: 6 }),
      inserted: fc.constantFrom(...words),
    }),
    { maxLength: 5 },
  );

/** Between whole letters, as an editor edits. */
function edited(text: string, edits: readonly Edit[]): string {
  const letters = Array.from(text);
  for (const { at, deleted, inserted } of edits) letters.splice(at % (letters.length + 1), deleted, inserted);
  return letters.join('');
}

const countOf = (text: string, word: string): number => text.split(word).length - 1;

test('changes between two texts lead from one to the other', () => {
  fc.assert(
    fc.property(texts, texts, (from, to) => {
      const changes = changesBetween(from, to);
      assert.equal(changes.apply(textOf(from)).toString(), to);
    }),
    { numRuns: 1_000 },
  );
});

test('edits made during a save, and what the server merged into it, are never lost', () => {
  const OWN = ['Ⅰ', 'Ⅱ', 'Ⅲ\r\n', '💚'];
  const FOREIGN = ['①', '②', '③\n', '💙'];
  fc.assert(
    fc.property(texts, editsWith(OWN), editsWith(FOREIGN), (sent, own, foreign) => {
      const current = edited(sent, own);
      const server = edited(sent, foreign);
      const merged = rebaseText({ sent, server, current });
      for (const word of OWN.map((text) => text.trim()))
        assert.equal(countOf(merged, word), countOf(current, word), word);
      for (const word of FOREIGN.map((text) => text.trim()))
        assert.equal(countOf(merged, word), countOf(server, word), word);
      assert.ok(merged.isWellFormed());
    }),
    { numRuns: 3_000 },
  );
});

test('edits of separate lines stand in the merged text as each made them', () => {
  const merged = rebaseText({
    sent: 'One.\r\nTwo.\r\nThree.\r\n',
    server: 'One.\r\nTwo.\r\nThree, by Bo.\r\n',
    current: 'One, by me.\r\nTwo.\r\nThree.\r\n',
  });
  assert.equal(merged, 'One, by me.\r\nTwo.\r\nThree, by Bo.\r\n');
});
