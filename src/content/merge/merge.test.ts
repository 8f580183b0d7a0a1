import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuTimeSince } from '../../../test/support/cpu-time.ts';
import { readDocument } from '../frontmatter/index.ts';
import { mergeDocuments, mergeText } from './index.ts';

const file = (yaml: string, body = '# Mira\n') => `---\n${yaml}---\n\n${body}`;
const dataOf = (text: string) => {
  const read = readDocument(text);
  assert.ok(read.ok);
  return read.data;
};

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
    assert.equal(mergeText(text('base'), text('local'), text('remote')).conflicts.length, 1);
    assert.ok(cpuTimeSince(started) < 2_000);
  });
});

describe('mergeDocuments', () => {
  it('merges keys, nested maps and the body, and keeps comments and quoting of both', () => {
    const base = file("id: mira\nname: 'Mira' # her name\nlook:\n  hair: black\n  eyes: grey\nage: 30\n");
    const local = base.replace('hair: black', 'hair: "red" # dyed').replace('# Mira', '# Mira Vale');
    const remote = base.replace('eyes: grey', 'eyes: green').replace('age: 30', '# by the records\nage: 31');
    const merged = mergeDocuments(base, local, remote);
    assert.equal(
      merged.text,
      file(
        'id: mira\nname: \'Mira\' # her name\nlook:\n  hair: "red" # dyed\n  eyes: green\n# by the records\nage: 31\n',
        '# Mira Vale\n',
      ),
    );
    assert.deepEqual([merged.clean, merged.structured], [true, true]);
  });

  it('names the field that both changed, and what a side deleted and the other edited', () => {
    const base = file('look:\n  hair: black\nage: 30\ntitle: Reader\n');
    const local = file('look:\n  hair: red\ntitle: Reader\n');
    const remote = file('look:\n  hair: grey\nage: 31\ntitle: Harbour master\n');
    const merged = mergeDocuments(base, local, remote);
    assert.deepEqual(merged.conflicts, [
      { field: 'look.hair', base: 'black', local: 'red', remote: 'grey' },
      { field: 'age', base: 30, remote: 31 },
    ]);
    assert.deepEqual(dataOf(merged.text), { look: { hair: 'red' }, title: 'Harbour master' });
  });

  it('merges lists of scalars as ordered sets', () => {
    const base = file('traits: [calm, kind, tall]\n');
    const merged = mergeDocuments(
      base,
      file('traits: [calm, tall, brave]\n'),
      file('traits: [shy, calm, kind, tall]\n'),
    );
    assert.deepEqual(
      [merged.clean, dataOf(merged.text)],
      [true, { traits: ['shy', 'calm', 'tall', 'brave'] }],
    );
    const moved = mergeDocuments(base, file('traits: [tall, calm, kind]\n'), file('traits: [calm, kind]\n'));
    assert.deepEqual(
      moved.conflicts.map(({ field }) => field),
      ['traits'],
    );
  });

  it('merges lists of maps by their id', () => {
    const base = file('ties:\n  - id: aron\n    kind: friend\n  - id: bea\n    kind: sister\n');
    const local = base.replace('friend', 'rival');
    const remote = base.replace(
      '    kind: sister\n',
      '    kind: sister\n    since: 12\n  - id: cole\n    kind: boss\n',
    );
    const merged = mergeDocuments(base, local, remote);
    assert.deepEqual(dataOf(merged.text), {
      ties: [
        { id: 'aron', kind: 'rival' },
        { id: 'bea', kind: 'sister', since: 12 },
        { id: 'cole', kind: 'boss' },
      ],
    });
    const both = mergeDocuments(base, local, base.replace('friend', 'enemy'));
    assert.deepEqual(both.conflicts, [
      { field: 'ties.aron.kind', base: 'friend', local: 'rival', remote: 'enemy' },
    ]);
  });

  it('lets the later date of the last change hold', () => {
    const [base, local, remote] = ['2026-01-01', '2026-02-01', '2026-03-01'].map((day) =>
      file(`last_updated: ${day}\n`),
    );
    const merged = mergeDocuments(base ?? '', local ?? '', remote ?? '');
    assert.deepEqual([merged.clean, merged.text], [true, remote]);
  });

  it('is not disturbed by line ends, a byte order mark or a missing last line break', () => {
    const base = file('a: 1\nb: 2\n', 'one\ntwo\n');
    const local = `\uFEFF${base.replaceAll('\n', '\r\n').replace('a: 1', 'a: 7')}`;
    const remote = file('a: 1\nb: 8\n', 'one\ntwo\nthree');
    const merged = mergeDocuments(base, local, remote);
    assert.deepEqual(
      [merged.clean, merged.text],
      [true, `\uFEFF---\r\na: 7\r\nb: 8\r\n---\r\n\r\none\r\ntwo\r\nthree`],
    );
  });

  it('tells of comments that find no place', () => {
    const merged = mergeDocuments(
      file('a: 1\nb: 2\n'),
      file('a: 2\nb: 2\n'),
      file('a: 3 # counted twice\nb: 2\n'),
    );
    assert.deepEqual(merged.conflicts, [
      { field: 'a', base: 1, local: 2, remote: 3 },
      { field: 'frontmatter_comments', local: '', remote: '# counted twice' },
    ]);
  });

  it('merges texts that cannot be read by lines, and says so', () => {
    const merged = mergeDocuments(
      '---\na: [1\n---\n\none\ntwo\n',
      '---\na: [1\n---\n\nONE\ntwo\n',
      '---\na: [1\n---\n\none\nTWO\n',
    );
    assert.deepEqual(
      [merged.structured, merged.clean, merged.text],
      [false, true, '---\na: [1\n---\n\nONE\nTWO\n'],
    );
  });
});
