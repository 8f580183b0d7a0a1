import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareContent } from '../../content/compare.ts';
import { type DifferencePart, textDifferenceOf } from './text-difference.ts';
import { type MarkedText, markWords } from './word-marks.ts';

const textOf = (pieces: readonly MarkedText[]) => pieces.map(({ text }) => text).join('');
const shownOf = (pieces: readonly MarkedText[]) =>
  pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');

const content = (markdown_body: string) => ({ name: '', status: '', fields: {}, markdown_body });
const partsOf = (before: string, after: string) =>
  textDifferenceOf(compareContent(content(before), content(after)).body);

const shown = (parts: readonly DifferencePart[]) =>
  parts.flatMap((part) =>
    part.kind === 'gap'
      ? [`… ${part.count}`]
      : part.lines.map(
          ({ kind, number, pieces }) =>
            `${{ same: ' ', removed: '-', added: '+' }[kind]}${number} ${shownOf(pieces)}`,
        ),
  );

test('words that differ are marked, and no letter is lost', () => {
  const pair = markWords('She reads the old bell.', 'She reads the new bell!');
  assert.equal(shownOf(pair.before), 'She reads the [old] bell[.]');
  assert.equal(shownOf(pair.after), 'She reads the [new] bell[!]');
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', 'ä', '👍') });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pair = markWords(before, after);
      assert.deepEqual([textOf(pair.before), textOf(pair.after)], [before, after]);
    }),
  );
});

test('texts with little in common are replaced', () => {
  const pair = markWords('All is well', 'Nothing here fits, dear');
  assert.equal(shownOf(pair.after), '[Nothing here fits, dear]');
});

test('a changed line stands with two equal ones around it, and the rest is a gap', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `Line ${index + 1} of the text`);
  const after = lines.with(9, 'Line ten of the text');
  assert.deepEqual(shown(partsOf(lines.join('\n'), after.join('\n'))), [
    '… 7',
    ' 8 Line 8 of the text',
    ' 9 Line 9 of the text',
    '-10 Line [10] of the text',
    '+10 Line [ten] of the text',
    ' 11 Line 11 of the text',
    ' 12 Line 12 of the text',
    '… 8',
  ]);
});

test('added and removed lines have the numbers of their own text', () => {
  assert.deepEqual(shown(partsOf('a\nb', 'a\nx\nb')), [' 1 a', '+2 [x]', ' 2 b']);
  assert.deepEqual(shown(partsOf('a\nx\nb', 'a\nb')), [' 1 a', '-2 [x]', ' 3 b']);
  assert.deepEqual(partsOf('a', 'a'), []);
});

test('what is no block is left out', () => {
  assert.deepEqual(textDifferenceOf([null, { kind: 'odd', lines: [] }, { kind: 'added' }]), []);
});
