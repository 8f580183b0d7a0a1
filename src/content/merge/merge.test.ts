import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDocument } from '../frontmatter/index.ts';
import { mergeDocuments } from './index.ts';

const file = (yaml: string, body = '# Mira\n') => `---\n${yaml}---\n\n${body}`;
const dataOf = (text: string) => {
  const read = readDocument(text);
  assert.ok(read.ok);
  return read.data;
};

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

  it('takes what was decided for an overlap, and leaves the others open', () => {
    const base = file(
      'look:\n  hair: black\nage: 30\ntitle: Reader # of tides\n',
      'One.\n\nTwo.\n\nThree.\n',
    );
    const local = file('look:\n  hair: red\nage: 31\ntitle: Reader # of tides\n', 'One!\n\nTwo!\n\nThree.\n');
    const remote = file('look:\n  hair: grey\ntitle: Master # of tides\n', 'One?\n\nTwo?\n\nThree?\n');
    const open = mergeDocuments(base, local, remote);
    assert.deepEqual(
      open.conflicts.map(({ field, line }) => [field, line]),
      [
        ['look.hair', undefined],
        ['age', undefined],
        ['markdown_body', 1],
        ['markdown_body', 3],
      ],
    );
    const [hair, age, first, second] = open.conflicts;
    assert.ok(hair && age && first && second);
    const merged = mergeDocuments(base, local, remote, [
      { conflict: hair, value: 'auburn' },
      { conflict: age },
      { conflict: first, value: 'One!?\nAnd a half.' },
    ]);
    assert.deepEqual(merged.conflicts, [second]);
    assert.equal(
      merged.text,
      file('look:\n  hair: auburn\ntitle: Master # of tides\n', 'One!?\nAnd a half.\n\nTwo!\n\nThree?\n'),
    );
    assert.match(merged.body, /^One!\?\nAnd a half\.\n\n<<<<<<< local\nTwo!/);
    const gone = mergeDocuments(base, local, remote, [{ conflict: first, value: '' }]);
    assert.match(gone.text, /---\n\n\nTwo!/);
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

  const commentsLost = (remote: string, local = 'a: 2\n', base = 'a: 1\n') =>
    mergeDocuments(file(base), file(local), file(remote)).conflicts.find(
      ({ field }) => field === 'frontmatter_comments',
    );

  it('knows comments from values that hold a number sign', () => {
    const remote = `'k # 0': x
# zero
'# k': "# no" # one
a: 3
c: |  # two
  # text
d: >- # three
  text # text
e: [1, "#4", 'x # y'] # four
# five
## six
f: x#y
g: # seven
h:
  - '# i' # eight
  - i
  # nine
  - j
`;
    assert.deepEqual(commentsLost(remote), {
      field: 'frontmatter_comments',
      local: '',
      remote: '# zero\n# one\n# two\n# three\n# four\n# five\n## six\n# seven\n# eight\n# nine',
    });
    assert.equal(commentsLost('# top\n{ a: 3 } # in braces  \n')?.remote, '# top\n# in braces');
  });

  it('tells of the comments of both sides', () => {
    assert.deepEqual(commentsLost('a: 3 # r\nb: 2 # s\nc: 1\n', 'a: 2 # l\nb: 2 # m\n', 'a: 1\nb: 2\n'), {
      field: 'frontmatter_comments',
      local: '',
      remote: '# r\n# s',
    });
    assert.deepEqual(commentsLost('c: 1\n', 'a: 2\nb: 2 # m\n', 'a: 1\nb: 2\n'), {
      field: 'frontmatter_comments',
      local: '# m',
      remote: '',
    });
    assert.deepEqual(
      commentsLost('a: 3 # r\nd: 4\n', 'a: 2\nb: 2 # m\nc: 3 # n\nd: 4\n', 'a: 1\nb: 2\nc: 3\nd: 4\n'),
      { field: 'frontmatter_comments', local: '# m\n# n', remote: '# r' },
    );
    assert.deepEqual(commentsLost('a: 3 # r\nc: 3\n', 'a: 2\nb: 2 # m\nc: 3\n', 'a: 1\nb: 2\nc: 3\n'), {
      field: 'frontmatter_comments',
      local: '# m',
      remote: '# r',
    });
    assert.deepEqual(commentsLost('b: 2\n', 'b: 2 # l\n# m\n', 'a: 1\nb: 2\n'), undefined);
  });

  it('merges line by line where that says what the fields say, so that comments come along', () => {
    const merged = mergeDocuments(
      file('a: 1\nb: 2\nc: 3\n'),
      file('a: 7\nb: 2\nc: 3\n'),
      file('a: 1\nb: 2\n# end\n'),
    );
    assert.deepEqual([merged.clean, merged.text], [true, file('a: 7\nb: 2\n# end\n')]);
  });

  it('keeps the comments away from lines that overlap', () => {
    const merged = mergeDocuments(
      file('a: 1\nb: 2\nc: 3\nd: 4\n'),
      file('a: 7\nb: 2\nc: 3\nd: 4 # ours\n'),
      file('a: 8\nb: 2\nc: 3 # theirs\nd: 4\n'),
    );
    assert.deepEqual(merged.conflicts, [{ field: 'a', base: 1, local: 7, remote: 8 }]);
    assert.equal(merged.text, file('a: 7\nb: 2\nc: 3 # theirs\nd: 4 # ours\n'));
  });

  it('does not merge line by line what then says something else', () => {
    const twice = mergeDocuments(
      file('a: 1\nz: 9\n'),
      file('b: 1\na: 1\nz: 9\n'),
      file('a: 1\nz: 9\nb: 2\n'),
    );
    assert.deepEqual(twice.conflicts, [{ field: 'b', local: 1, remote: 2 }]);
    assert.equal(twice.text, file('b: 1\na: 1\nz: 9\n'));
    const list = (items: string) => file(`list:\n${Array.from(items, (item) => `  - ${item}\n`).join('')}`);
    const moved = mergeDocuments(list('abcde'), list('bcdea'), list('abCde'));
    assert.deepEqual(
      moved.conflicts.map(({ field }) => field),
      ['list'],
    );
    assert.equal(moved.text, list('bcdea'));
  });

  it('edits what lines cannot merge into local: new keys stand where remote has them, removed ones go', () => {
    const merged = mergeDocuments(
      file('a: 1\nb: 2\nc: 3\nd: 4\n'),
      file('a: 2\nb: 2\nc: 3\nd: 4\n'),
      file('first: 0\na: 3\nb: 2\nnew: 5\nc: 3\n'),
    );
    assert.equal(merged.text, file('a: 2\nb: 2\nnew: 5\nc: 3\nfirst: 0\n'));
    assert.deepEqual(merged.conflicts, [{ field: 'a', base: 1, local: 2, remote: 3 }]);
    const inner = mergeDocuments(
      file('m: { x: 1, y: 1 }\nz: 1\n'),
      file('m: { x: 2, y: 1 }\nz: 1\n'),
      file('m: { x: 1, y: 2 }\nnew: 5\nz: 1\n'),
    );
    assert.equal(inner.text, file('m: { x: 2, y: 2 }\nnew: 5\nz: 1\n'));
  });

  it('merges maps and lists that both sides add, and keys with the names of inherited members', () => {
    const both = mergeDocuments(
      file('x: 0\n'),
      file('x: 0\nm: { a: 1 }\nl: [1]\n'),
      file('x: 0\nm: { b: 2 }\nl: [1, 2]\n'),
    );
    assert.deepEqual(dataOf(both.text), { x: 0, m: { a: 1, b: 2 }, l: [1, 2] });
    assert.equal(both.clean, true);
    const named = mergeDocuments(file('x: 0\n'), file('x: 1\n'), file('x: 0\ntoString: 2\n'));
    assert.deepEqual([named.clean, dataOf(named.text)], [true, { x: 1, toString: 2 }]);
    const fresh = mergeDocuments('', file('toString: 1\n', ''), file('toString: 2\n', ''));
    assert.deepEqual(fresh.conflicts, [{ field: 'toString', local: 1, remote: 2 }]);
    const kinds = mergeDocuments(file('x: 0\n'), file('x: 0\nm: { a: 1 }\n'), file('x: 0\nm: [1]\n'));
    assert.deepEqual(kinds.conflicts, [{ field: 'm', local: { a: 1 }, remote: [1] }]);
  });

  it('keeps the place of what remote adds behind an item that local removed', () => {
    const merged = mergeDocuments(file('l: [a, b, c]\n'), file('l: [a, c]\n'), file('l: [a, b, x, c]\n'));
    assert.deepEqual([merged.clean, dataOf(merged.text)], [true, { l: ['a', 'x', 'c'] }]);
  });

  it('merges lists of maps by any key that tells their items apart, and no others', () => {
    const list = (...items: string[]) => file(`l:\n${items.map((item) => `  - ${item}\n`).join('')}`);
    const fieldsOf = (item: (name: string, more: string) => string) =>
      mergeDocuments(
        list(item('1', 'k: 1'), item('2', 'k: 1')),
        list(item('1', 'k: 2'), item('2', 'k: 1')),
        list(item('1', 'k: 3'), item('2', 'k: 4')),
      ).conflicts.map(({ field }) => field);
    for (const key of ['id', 'entity_id', 'asset_id', 'key', 'name', 'title']) {
      assert.deepEqual(
        fieldsOf((name, more) => `{ ${key}: n${name}, ${more} }`),
        ['l.n1.k'],
        key,
      );
    }
    assert.deepEqual(
      fieldsOf((name, more) => `{ id: ${name}, ${more} }`),
      ['l.1.k'],
    );
    assert.deepEqual(
      fieldsOf((name, more) => `{ word: n${name}, ${more} }`),
      ['l'],
    );
    assert.deepEqual(
      fieldsOf((name, more) => `{ id: ${name === '1' ? '""' : 'x'}, ${more} }`),
      ['l'],
    );
    assert.deepEqual(
      fieldsOf((_, more) => `{ id: [1], ${more} }`),
      ['l'],
    );
    assert.deepEqual(
      fieldsOf((name, more) => (name === '1' ? `{ id: n, ${more} }` : `{ x: 1, ${more} }`)),
      ['l'],
    );
    assert.deepEqual(
      fieldsOf((name, more) => (name === '2' ? 'word' : `{ id: n, ${more} }`)),
      ['l'],
    );
  });

  it('does not merge lists that hold one item twice, or whose order a side changed', () => {
    const list = (items: string) => file(`l: [${Array.from(items)}]\n`);
    for (const [base, local, remote] of [
      ['aab', 'aabc', 'aabd'],
      ['ab', 'aab', 'abd'],
      ['ab', 'abd', 'aab'],
      ['abc', 'acb', 'abcd'],
    ] as const) {
      const merged = mergeDocuments(list(base), list(local), list(remote));
      assert.deepEqual(
        merged.conflicts.map(({ field }) => field),
        ['l'],
        local,
      );
    }
  });

  it('lets the later date hold when it is local’s, and only the entity’s own', () => {
    const [base, local, remote] = ['2026-01-01', '2026-03-01', '2026-02-01'].map((day) =>
      file(`last_updated: ${day}\n`),
    );
    assert.equal(mergeDocuments(base ?? '', local ?? '', remote ?? '').text, local);
  });

  it('takes a byte order mark from local alone', () => {
    const merged = mergeDocuments(
      file('a: 1\nb: 2\n'),
      file('a: 7\nb: 2\n'),
      `\uFEFF${file('a: 1\nb: 8\n')}`,
    );
    assert.deepEqual([merged.clean, merged.text], [true, file('a: 7\nb: 8\n')]);
  });

  it('takes a document without frontmatter for one without fields', () => {
    const merged = mergeDocuments(
      'one\ntwo\nthree\n',
      file('a: 1\n', 'one\ntwo\nthree\n'),
      'one\ntwo\nTHREE\n',
    );
    assert.deepEqual(
      [merged.clean, merged.structured, merged.text],
      [true, true, file('a: 1\n', 'one\ntwo\nTHREE\n')],
    );
    const marked = mergeDocuments('\uFEFFone\n', file('a: 1\n', 'one\n'), '\uFEFFONE\n');
    assert.deepEqual([marked.clean, marked.text], [true, file('a: 1\n', 'ONE\n')]);
  });

  it('names the body where both changed its lines', () => {
    const merged = mergeDocuments(file('a: 1\n', 'x\n'), file('a: 1\n', 'y\n'), file('a: 1\n', 'z\n'));
    assert.deepEqual(merged.conflicts, [
      { field: 'markdown_body', line: 1, base: 'x', local: 'y', remote: 'z' },
    ]);
  });

  it('leaves one side’s unreadable text as it is where the other changed nothing', () => {
    const [before, unreadable] = [file('a: 1\n'), '---\na: [1\n---\n\nbody\n'];
    const taken = { clean: true, text: unreadable, conflicts: [], body: 'body\n', structured: true };
    assert.deepEqual(mergeDocuments(before, unreadable, before), taken);
    assert.deepEqual(mergeDocuments(before, before, unreadable), taken);
    assert.deepEqual(mergeDocuments(before, unreadable, unreadable), taken);
  });

  it('shows the whole texts where lines of one that cannot be read overlap', () => {
    const text = (line: string) => `---\na: [1\n---\n\n${line}\n`;
    const merged = mergeDocuments(file('a: 1\n', 'x\n'), text('y'), file('a: 2\n', 'z\n'));
    assert.deepEqual([merged.clean, merged.structured], [false, false]);
    assert.deepEqual([...new Set(merged.conflicts.map(({ field }) => field))], ['markdown_body']);
    assert.match(merged.body, /^---[\s\S]*<<<<<<< local/);
    assert.equal(mergeDocuments(text('x\ny'), text('X\ny'), text('x\ny\nz')).body, 'X\ny\nz\n');
  });

  it('merges by lines what is too large for one document', () => {
    const half = 'x'.repeat(600_000);
    const merged = mergeDocuments(file('a: 1\n'), file(`a: 1\nl: ${half}\n`), file(`a: 1\nr: ${half}\n`));
    assert.deepEqual([merged.structured, merged.clean], [false, false]);
  });
});
