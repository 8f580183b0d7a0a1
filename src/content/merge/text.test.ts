import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuTimeSince } from '../../../test/support/cpu-time.ts';
import { countChangedLines, mergeText } from './index.ts';

describe('mergeText', () => {
  it('takes what each side changed', () => {
    const merged = mergeText('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\nnew\n');
    assert.deepEqual(merged, {
      clean: true,
      text: 'A\nb\nc\nD\nnew\n',
      proposed: 'A\nb\nc\nD\nnew\n',
      conflicts: [],
    });
  });

  it('merges neighbouring lines that each side changed alone', () => {
    assert.equal(mergeText('a\nb\n', 'A\nb\n', 'a\nB\n').text, 'A\nB\n');
  });

  it('shows both sides of what overlaps, and proposes both', () => {
    const merged = mergeText('one\ntwo\nthree\n', 'one\n2\nthree\n', 'one\nzwei\nthree\n');
    assert.equal(merged.clean, false);
    assert.deepEqual(merged.conflicts, [{ line: 2, base: 'two', local: '2', remote: 'zwei' }]);
    assert.equal(merged.text, 'one\n2\nthree\n');
    assert.equal(merged.proposed, 'one\n<<<<<<< local\n2\n=======\nzwei\n>>>>>>> remote\nthree\n');
  });

  it('proposes the words of both where two people changed one paragraph', () => {
    const base = 'Mira reads the tide. She lives by the harbour.\n';
    const merged = mergeText(base, base.replace('tide', 'flood'), base.replace('harbour', 'lighthouse'));
    assert.equal(merged.clean, false);
    assert.equal(merged.proposed, 'Mira reads the flood. She lives by the lighthouse.\n');
  });

  it('treats a deletion against an edit as overlap', () => {
    const merged = mergeText('a\nb\nc\n', 'a\nc\n', 'a\nB!\nc\n');
    assert.deepEqual(merged.conflicts, [{ line: 2, base: 'b', local: '', remote: 'B!' }]);
    assert.match(merged.proposed, /B!/);
  });

  it('keeps local line ends and does not stumble over those of the other side', () => {
    assert.equal(mergeText('a\nb\nc\n', 'a\r\nb\r\nc\r\n', 'a\nb\nC\nd').text, 'a\r\nb\r\nC\r\nd');
    assert.equal(mergeText('a\nb\n', 'a\nb', 'a\r\nB\r\n').text, 'a\nB');
  });

  it('takes a further insertion behind one that both made', () => {
    assert.equal(mergeText('a\n', 'a\nb\n', 'a\nb\nc\n').text, 'a\nb\nc\n');
  });

  it('stays quick for long texts that differ everywhere', () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, line) => `${word} ${line}`).join('\n');
    const started = process.cpuUsage();
    const [base, local, remote] = [text('base'), text('local'), text('remote')];
    assert.deepEqual(mergeText(base, local, remote).conflicts, [{ line: 1, base, local, remote }]);
    assert.ok(cpuTimeSince(started) < 2_000);
  });

  it('leaves the text of a side as it is where the other changed nothing', () => {
    const text = 'a\r\nb\n';
    const taken = { clean: true, text, proposed: text, conflicts: [] };
    assert.deepEqual(mergeText('a\n', 'a\n', text), taken);
    assert.deepEqual(mergeText('a\n', text, 'a\n'), taken);
    assert.deepEqual(mergeText('a\n', text, text), taken);
  });

  it('takes each of several changes of a side', () => {
    assert.equal(
      mergeText('1\n2\n3\n4\n5\n', 'one\n2\n3\n4\nfive\n', '1\n2\nthree\n4\n5\n').text,
      'one\n2\nthree\n4\nfive\n',
    );
  });

  it('merges what both sides changed alike beside other changes', () => {
    assert.equal(mergeText('a\nb\nc\nd\n', 'a\nX\nc\nd\n', 'a\nX\nc\nD\n').text, 'a\nX\nc\nD\n');
    assert.deepEqual(
      mergeText('a\nb\nc\nd\n', 'a\nc\nd\n', 'a\nc\nD\n'),
      mergeText('a\nc\nd\n', 'a\nc\nd\n', 'a\nc\nD\n'),
    );
    assert.equal(mergeText('a\n', 'a\nb\n', 'a\nb\nb\n').text, 'a\nb\nb\n');
  });

  it('leaves equal lines around an overlap out of it', () => {
    const merged = mergeText('a\nb\nz\n', 'new\na\nsame\nX\nend\nz\n', 'a\nsame\nY\nend\nz\n');
    assert.deepEqual(merged.conflicts, [{ line: 4, base: 'b', local: 'X', remote: 'Y' }]);
    assert.equal(merged.text, 'new\na\nsame\nX\nend\nz\n');
    const longer = mergeText('b\nz\n', '1\n2\nX\n3\n4\nz\n', '1\n2\nY\n3\n4\nz\n');
    assert.deepEqual(longer.conflicts, [{ line: 3, base: 'b', local: 'X', remote: 'Y' }]);
  });

  it('does not guess the order of an insertion and a change beside it', () => {
    const [base, inserted] = ['a\nb\nc\n', 'a\nb\nX\nc\n'];
    for (const changed of ['a\nB\nc\n', 'a\nb\nC\n']) {
      assert.equal(mergeText(base, changed, inserted).clean, false);
      assert.equal(mergeText(base, inserted, changed).clean, false);
    }
  });

  it('merges the words of several lines, and shows what a side removed beside what the other made of it', () => {
    const base = 'Mira reads\nthe tide.\n';
    const words = mergeText(
      base,
      base.replace('reads', 'knew'),
      base.replace('tide', 'flood').replace('Mira', 'Mira'),
    );
    assert.equal(words.proposed, 'Mira knew\nthe flood.\n');
    const both = mergeText(
      base,
      base.replace('Mira reads\nthe tide.', 'She knew\nthe tide.'),
      base.replace('Mira reads\nthe tide.', 'Mira reads\nthe flood.'),
    );
    assert.equal(both.proposed, 'She knew\nthe flood.\n');
    const overlap = mergeText(base, 'She reads\nthe flood.\n', 'Mira knew\na tide.\n');
    assert.deepEqual([overlap.clean, overlap.proposed], [false, 'She knew\na flood.\n']);
    assert.equal(
      mergeText('a\nb c\nd\n', 'a\nd\n', 'a\nb C\nd\n').proposed,
      'a\n<<<<<<< local\n=======\nb C\n>>>>>>> remote\nd\n',
    );
  });

  it('gives new lines the first line end of local, and keeps the others', () => {
    assert.equal(mergeText('a\nb\nc\n', 'a\r\nb\nC\n', 'a\nb\nc\nd\n').clean, false);
    assert.equal(mergeText('a\nb\nc\n', 'a\r\nb\nc\n', 'a\nb\nc\nd\n').text, 'a\r\nb\nc\nd\r\n');
    assert.equal(mergeText('a\nb\nc\n', 'A\nb\r\nc\n', 'a\nb\nc\nd\n').text, 'A\nb\r\nc\nd\n');
    assert.equal(mergeText('a\nb', 'b', 'a\nb\nc').text, 'b\nc');
    assert.equal(mergeText('\na\nb\n', '\nA\nb\n', '\na\nb\nc\n').text, '\nA\nb\nc\n');
  });
});

describe('countChangedLines', () => {
  it('counts the longer side of each place', () => {
    assert.equal(countChangedLines('a\nb\nc\nd\n', 'a\r\nb\r\nc\r\nd\r\n'), 0);
    assert.equal(countChangedLines('a\nb\nc\nd\ne\n', 'A\nAA\nb\nc\nE\n'), 4);
    assert.equal(countChangedLines('a\nb\n', ''), 2);
    assert.equal(countChangedLines('a\n', 'a\na\n'), 1);
  });
});
