import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { applyHunks, bodyHunks, withLineBreaksOf } from './index.ts';

const lineBreak = fc.constantFrom('\n', '\r\n', '\n\n', '\r');
const line = fc.constantFrom('', 'one', 'two', 'three', '\r', ' ');
/** Mixed line breaks, with and without a last one. */
const text = fc
  .tuple(fc.array(fc.tuple(line, lineBreak), { maxLength: 12 }), fc.constantFrom('', 'end', '\r'))
  .map(([lines, end]) => lines.flat().join('') + end);

describe('hunks of a body', () => {
  it('give the new text if all are taken and the old one if none are, byte for byte', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks = bodyHunks(before, after);
        assert.equal(applyHunks(before, hunks), after);
        assert.equal(applyHunks(before, []), before);
      }),
      { numRuns: 1000 },
    );
  });

  it('may be taken in any order, and what is left can be taken later', () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.boolean(), { maxLength: 12 }), (before, after, choice) => {
        const hunks = bodyHunks(before, after);
        const taken = hunks.filter((_, index) => choice[index]);
        const half = applyHunks(before, taken.toReversed());
        assert.equal(half, applyHunks(before, taken));
        assert.equal(applyHunks(half, bodyHunks(half, after)), after);
      }),
    );
  });

  it('have ids and lines that the same two texts always get', () => {
    const [before, after] = ['a\r\nb\r\nc\r\nd', 'a\r\nB\r\nc\r\nd\r\ne'];
    const hunks = bodyHunks(before, after);
    assert.deepEqual(hunks, [
      { id: 'h1', line: 2, before: 'b\r\n', after: 'B\r\n' },
      { id: 'h2', line: 4, before: 'd', after: 'd\r\ne' },
    ]);
    assert.deepEqual(bodyHunks(before, after), hunks);
  });

  it('of another text are refused, and so are two of one place', () => {
    const [hunk] = bodyHunks('a\nb\n', 'a\nc\n');
    assert.ok(hunk);
    assert.throws(() => applyHunks('a\nx\n', [hunk]), /hunk h1 is of another text: line 2/);
    assert.throws(() => applyHunks('a\nb\n', [hunk, hunk]), RangeError);
  });

  it('keep line breaks where an answer has others', () => {
    assert.equal(withLineBreaksOf('a\r\nb\r\n', 'a\nc\n'), 'a\r\nc\r\n');
    assert.equal(withLineBreaksOf('a\nb', 'a\r\nc'), 'a\nc');
    assert.equal(withLineBreaksOf('', 'a\r\nc'), 'a\nc');
  });
});
