import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { type DocumentEdit, DocumentError, editDocument, readDocument } from './index.ts';

/** In a document with a body; returns the YAML afterwards. */
function edited(yaml: string, edit: DocumentEdit): string {
  const text = editDocument(`---\n${yaml}---\n\n# Body\n---\n`, edit);
  assert.ok(text.startsWith('---\n') && text.endsWith('---\n\n# Body\n---\n'));
  return text.slice(4, -'---\n\n# Body\n---\n'.length);
}

function set(yaml: string, fields: Record<string, unknown>): string {
  return edited(yaml, { set: fields });
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof DocumentError);
    return error.problem.code;
  }
  return 'nothing was refused';
}

describe('setting a scalar', () => {
  it('keeps quotes, spaces and the comment beside it', () => {
    assert.equal(set('a:   "x"   # note\nb: 1\n', { a: 'y' }), 'a:   "y"   # note\nb: 1\n');
    assert.equal(set("a: 'x'\n", { a: "it's" }), "a: 'it''s'\n");
    assert.equal(set('a : x\n', { a: 'z' }), 'a : z\n');
    assert.equal(set('a:\t1 # n\n', { a: 2 }), 'a: 2 # n\n');
  });

  it('quotes what would read as something else', () => {
    const values = [
      '123',
      'true',
      'yes',
      'null',
      '',
      '~',
      '- x',
      'a: b',
      '# c',
      ' x',
      'x ',
      '[x]',
      '0x1',
      '1_000',
      '*a',
      'a #b',
      'a:',
      '.5',
    ];
    for (const value of values) {
      const line = set('a: b\n', { a: value });
      assert.match(line, /^a: (["']).*\1\n$/, value);
    }
    for (const value of ['2024-01-01', 'plain words', 'http://x:1', 'a#b', '日本', '🐉']) {
      assert.equal(set('a: "b"\nc: d\n', { c: value }), `a: "b"\nc: ${value}\n`);
    }
  });

  it('quotes a key that would end the document, or begin another', () => {
    for (const key of ['...', '... then what', '---', '--- then what'])
      assert.equal(set('a: b\n', { [key]: 1 }), `a: b\n"${key}": 1\n`);
    assert.equal(set('a: b\n', { '...then': 1 }), 'a: b\n...then: 1\n');
    assert.equal(set('a: b\n', { a: '... then what' }), 'a: ... then what\n');
  });

  it('writes text of several lines as a block with the right end', () => {
    assert.equal(set('a: x # c\nb: 1\n', { a: 'one\ntwo\n' }), 'a: | # c\n  one\n  two\nb: 1\n');
    assert.equal(set('a: x\n', { a: 'one\n\ntwo' }), 'a: |-\n  one\n\n  two\n');
    assert.equal(set('a: x\n', { a: 'one\n\n' }), 'a: |+\n  one\n\n');
    assert.equal(set('a: x\n', { a: '  one\ntwo' }), 'a: |2-\n    one\n  two\n');
    assert.equal(set('a: x\n', { a: 'one\r\ntwo' }), 'a: "one\\r\\ntwo"\n');
    assert.equal(set('a: >-\n  old\n', { a: 'one\ntwo' }), 'a: >-\n  one\n\n  two\n');
  });

  it('replaces text of several lines by a short one', () => {
    assert.equal(set('a: | # c\n  one\n  two\n\nb: 1\n', { a: 7 }), 'a: 7 # c\n\nb: 1\n');
    assert.equal(set('a: plain\n  goes on\nb: 1\n', { a: 'x' }), 'a: x\nb: 1\n');
    assert.equal(set('a:\n  # why\n  "far" # c\nb: 1\n', { a: 'x' }), 'a: "x" # c\nb: 1\n');
  });

  it('does not give a deeper comment to a block scalar', () => {
    const yaml = set('a: 1\n  # about a\nb: 1\n', { a: 'one\ntwo' });
    assert.equal(yaml, 'a: "one\\ntwo"\n  # about a\nb: 1\n');
  });

  it('changes no byte for an equal value', () => {
    const text = "---\na: 0x10\nb: {y: 1,   x: 'z'}\nc: 9007199254740993\n---\n";
    assert.equal(editDocument(text, { set: { a: 16, b: { x: 'z', y: 1 }, c: 2 ** 53 } }), text);
  });

  it('leaves numbers alone that JavaScript cannot hold', () => {
    const yaml =
      'a: 1\nbig: 12345678901234567890\nm: {pi: 3.14159265358979323846, n: 1}\nx: &x 98765432109876543210\ny: *x\n';
    const after = edited(yaml, { set: { a: 2, x: 0 }, setIn: [{ path: ['m', 'n'], value: 2 }] });
    const expected =
      'a: 2\nbig: 12345678901234567890\nm: {pi: 3.14159265358979323846, n: 2}\nx: 0\ny: &x 98765432109876543210\n';
    assert.equal(after, expected);
  });
});

describe('setting a collection', () => {
  it('touches only the entries that differ', () => {
    const yaml = 'm:\n    a: 1   # one\n    # two\n    b: 2\nn: 1\n';
    assert.equal(set(yaml, { m: { a: 1, b: 3 } }), 'm:\n    a: 1   # one\n    # two\n    b: 3\nn: 1\n');
    assert.equal(set(yaml, { m: { a: 1 } }), 'm:\n    a: 1   # one\n    # two\nn: 1\n');
    assert.equal(
      set(yaml, { m: { a: 1, b: 2, c: [] } }),
      'm:\n    a: 1   # one\n    # two\n    b: 2\n    c: []\nn: 1\n',
    );
  });

  it('adds, removes and changes items of lists line by line', () => {
    const yaml = 'l:\n- a # first\n# c\n- b\n- d: 1\n  e: 2\n';
    assert.equal(set(yaml, { l: ['a', 'b', { d: 1, e: 2 }, 'x'] }), `${yaml}- x\n`);
    assert.equal(set(yaml, { l: ['a', { d: 1, e: 2 }] }), 'l:\n- a # first\n# c\n- d: 1\n  e: 2\n');
    assert.equal(set(yaml, { l: ['z', 'a', 'b', { d: 1, e: 2 }] }), yaml.replace('l:\n', 'l:\n- z\n'));
    assert.equal(set(yaml, { l: ['a', 'b', { e: 2 }] }), 'l:\n- a # first\n# c\n- b\n- e: 2\n');
    assert.equal(set(yaml, { l: ['a', 'b', { d: 5, e: 2 }] }), yaml.replace('d: 1', 'd: 5'));
    assert.equal(
      set('l:\n- a # 1\n- b # 2\n- c # 3\n- d # 4\n- e # 5\n', { l: ['b', 'd'] }),
      'l:\n- b # 2\n- d # 4\n',
      'each keeps its comment',
    );
  });

  it('edits flow collections in place', () => {
    assert.equal(set('t: [a,  "b" , c] # n\n', { t: ['a', 'x', 'c', 'd'] }), 't: [a,  "x" , c, d] # n\n');
    assert.equal(set('t: { a: 1, b: 2, c: 3 }\n', { t: { b: 2 } }), 't: { b: 2 }\n');
    assert.equal(
      set('t: [\n  a, # one\n  b, # two\n ]\n', { t: ['a', 'c'] }),
      't: [\n  a, # one\n  c, # two\n ]\n',
    );
    assert.equal(set('t: [a]\n', { t: ['x, y', 'b: c'] }), 't: ["x, y", "b: c"]\n');
  });

  it('writes it anew when its kind changes', () => {
    assert.equal(
      set('a: x # c\nb: 1\n', { a: { k: ['v', { w: null }] } }),
      'a: # c\n  k:\n    - v\n    - w: null\nb: 1\n',
    );
    assert.equal(set('a: # c\n  - x\n  - y\nb: 1\n', { a: 'v' }), 'a: v # c\nb: 1\n');
    assert.equal(set('a:\n- x\nb: [1]\n', { a: [], b: {} }), 'a: []\nb: {}\n');
  });
});

describe('adding and removing fields', () => {
  it('adds after the last pair, or where it is wished', () => {
    assert.equal(set('a: 1\n# end\n', { b: 'x' }), 'a: 1\nb: x\n# end\n');
    const after = edited('a: 1\nc: |\n  x\n\nd: 1\n', {
      set: { n: 1, m: 2, o: 3 },
      after: { m: 'c', n: 'm', o: 'a' },
    });
    assert.equal(after, 'a: 1\no: 3\nc: |\n  x\nm: 2\nn: 1\n\nd: 1\n');
    assert.equal(set('', { 'a b': 1, '- c': 2 }), 'a b: 1\n"- c": 2\n');
    assert.equal(set('# only a comment\n', { a: 1 }), '# only a comment\na: 1\n');
    assert.equal(set('  a: 1\n', { b: 2 }), '  a: 1\n  b: 2\n');
    assert.equal(set('{a: 1}\n', { b: 2 }), '{a: 1, b: 2}\n');
  });

  it('removes the lines of a pair and leaves the comments of its neighbours', () => {
    const yaml = '# top\na: 1 # own\n# about b\nb:\n  - x # in\n  - y\n\n# about c\n"c": 1\n';
    assert.equal(edited(yaml, { unset: ['b'] }), '# top\na: 1 # own\n# about b\n\n# about c\n"c": 1\n');
    assert.equal(
      edited(yaml, { unset: ['a'] }),
      '# top\n# about b\nb:\n  - x # in\n  - y\n\n# about c\n"c": 1\n',
    );
    assert.equal(edited(yaml, { unset: ['a', 'b', 'c', 'nowhere'] }), '# top\n# about b\n\n# about c\n');
  });

  it('does not lengthen a block scalar that keeps its blank lines', () => {
    const yaml = edited('a: |+\n  x\n\nb: 1\n\nc: 1\n', { unset: ['b'] });
    assert.equal(yaml, 'a: |+\n  x\n\nc: 1\n');
  });

  it('empties and fills frontmatter in braces', () => {
    assert.equal(edited('{a: 1, b: 2} # c\n', { unset: ['a', 'b'] }), '{} # c\n');
    assert.equal(set('{}\n', { a: [1] }), '{a: [1]}\n');
  });

  it('reaches into maps and lists', () => {
    const edit = {
      setIn: [
        { path: ['m', 'deep', 'k'], value: 2 },
        { path: ['l', '1', 'x'], value: 'w' },
        { path: ['new', 'k'], value: 1 },
      ],
    };
    assert.equal(
      edited('m:\n  deep: {k: 1}\nl: [a, {x: z}]\n', edit),
      'm:\n  deep: {k: 2}\nl: [a, {x: w}]\nnew:\n  k: 1\n',
    );
  });
});

describe('anchors', () => {
  it('move to their first alias when their value changes', () => {
    assert.equal(set('a: &x 1 # c\nb: *x\nc: [*x]\n', { a: 2 }), 'a: 2 # c\nb: &x 1\nc: [*x]\n');
    assert.equal(
      edited('a: &x\n  k: 1\nb: *x\n', { setIn: [{ path: ['a', 'k'], value: 2 }] }),
      'a:\n  k: 2\nb: &x {k: 1}\n',
    );
    assert.equal(edited('a: &x 1\nb: *x\n', { unset: ['a'] }), 'b: &x 1\n');
  });

  it('stay when nothing refers to them', () => {
    assert.equal(set('a: &x 1\n', { a: 2 }), 'a: &x 2\n');
    assert.equal(set('a: &x 1\nb: *x\n', { b: 3 }), 'a: &x 1\nb: 3\n');
  });
});

describe('a body alone', () => {
  it('gets empty frontmatter where it would be read as frontmatter itself', () => {
    for (const mark of ['', '\uFEFF']) {
      for (const body of ['---\n', '---js\n1\n---\n', '---\nb: 1\n---\n'])
        assert.equal(editDocument(`${mark}old`, { body }), `${mark}---\n---\n\n${body}`);
      assert.equal(editDocument(`${mark}old`, { body: 'new' }), `${mark}new`);
    }
    assert.equal(editDocument('old', { body: '\uFEFFx' }), '---\n---\n\n\uFEFFx');
  });
});

describe('the rest of the file', () => {
  it('keeps byte order mark, CRLF and a missing last line break', () => {
    const text = '\uFEFF---\r\na: 1\r\nb: 2\r\n---\r\n\r\nBody\nmixed\r\nend';
    const after = editDocument(text, { set: { a: 'x\ny', c: [1] } });
    assert.equal(
      after,
      '\uFEFF---\r\na: |-\r\n  x\r\n  y\r\nb: 2\r\nc:\r\n  - 1\r\n---\r\n\r\nBody\nmixed\r\nend',
    );
  });

  it('takes a new body exactly as given', () => {
    const heads = [
      '---\na: 1\n---',
      '---\na: 1\n---\n',
      '---\na: 1\n---\n\n',
      '---\r\na: 1\r\n---\r\n',
      '',
      '\uFEFF',
    ];
    for (const head of heads) {
      for (const body of [
        '',
        'x',
        '\n',
        '\nx\n',
        '\r\nx',
        '---\n',
        '---\nb: 1\n---\n',
        '---js\n1\n---\n',
        '\uFEFFx',
      ]) {
        const after = readDocument(editDocument(head, { body, set: { a: 1 } }));
        assert.ok(after.ok);
        assert.equal(after.body, body, JSON.stringify({ head, body }));
      }
    }
    assert.equal(editDocument('---\na: 1\n---', { body: '\nx' }), '---\na: 1\n---\n\n\nx');
    assert.equal(editDocument('---\na: 1\n---\n', { body: 'x' }), '---\na: 1\n---\nx');
  });

  it('gives a file without frontmatter a block in front', () => {
    assert.equal(
      editDocument('# Title\r\ntext', { set: { a: 1 } }),
      '---\r\na: 1\r\n---\r\n\r\n# Title\r\ntext',
    );
    assert.equal(editDocument('', { set: { a: 1 } }), '---\na: 1\n---\n');
    assert.equal(editDocument('old', { body: 'new' }), 'new');
  });

  it('is edited quickly under a body of a megabyte', async () => {
    const body = 'a line of the body --- and more\n'.repeat(32_000);
    let after = '';
    const time = await cpuTime(() => {
      after = editDocument(`---\na: 1\n---\n\n${body}`, { set: { a: 2 } });
    });
    assert.ok(time < 250, `${time} ms`);
    assert.equal(after, `---\na: 2\n---\n\n${body}`);
  });
});

describe('a large edit', () => {
  it('of thousands of entries does not grow out of hand', async () => {
    const rows = Array.from({ length: 8_000 }, (_, index) => ({ id: index, at: { x: 1 } }));
    const changed = rows.map((row) => ({ ...row, at: { x: 2, label: 'new' } }));
    const fields = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`field_${index}`, 'x']));
    const flow = `rows: ${JSON.stringify(rows)}\n`;
    const texts: string[] = [];
    const time = await cpuTime(() => {
      texts.push(editDocument(`---\n${flow}---\n`, { set: { rows: changed, ...fields } }));
      const block = editDocument('', { set: { rows } });
      texts.push(editDocument(block, { set: { rows: changed.slice(0, 4_000) } }));
    });
    assert.ok(time < 4_000, `${time} ms`);
    assert.ok(texts.every((text) => readDocument(text).ok));
  });
});

describe('an edit is refused', () => {
  it('on a document that cannot be read', () => {
    assert.equal(
      refusal(() => editDocument('---\na: [\n---\n', { set: { b: 1 } })),
      'yaml',
    );
    assert.equal(
      refusal(() => editDocument('---js\n1\n---\n', { body: 'x' })),
      'language_tag',
    );
    assert.equal(
      refusal(() => editDocument('---\na: 1\n', { set: { a: 2 } })),
      'unclosed',
    );
  });

  it('that no strategy does at once and that is too large to be done field by field', () => {
    const text = '---\na: |\n  x\nb: 1\n  # deep\nc: 1\n\n---\n';
    const edit = (count: number) => ({
      set: Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, index])),
      unset: ['b', 'c'],
    });
    assert.ok(readDocument(editDocument(text, edit(48))).ok);
    assert.throws(
      () => editDocument(text, edit(49)),
      (error) =>
        error instanceof DocumentError &&
        error.problem.code === 'yaml' &&
        error.message ===
          'line 4, column 1: the field "b" cannot be changed without changing others; edit the file by hand',
    );
  });

  it('for values and keys that frontmatter cannot carry', () => {
    const text = '---\na: 1\nl: [1]\n---\n';
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    assert.equal(
      refusal(() => editDocument(text, { set: { a: Number.NaN } })),
      'yaml',
    );
    assert.throws(() => editDocument(text, { set: { a: () => 1 } }), /of the kind function/);
    assert.equal(
      refusal(() => editDocument(text, { set: { a: cycle } })),
      'too_deep',
    );
    assert.equal(
      refusal(() => editDocument(text, { set: { a: JSON.parse('{"__proto__": 1}') } })),
      'reserved_key',
    );
    assert.equal(
      refusal(() => editDocument(text, { set: JSON.parse('{"__proto__": 1}') })),
      'reserved_key',
    );
    assert.equal(editDocument(text, { setIn: [{ path: [], value: 1 }] }), text);
    assert.equal(
      refusal(() => editDocument(text, { setIn: [{ path: ['constructor', 'x'], value: 1 }] })),
      'reserved_key',
    );
    assert.equal(
      refusal(() => editDocument(text, { setIn: [{ path: ['a', 'x'], value: 1 }] })),
      'not_a_map',
    );
    for (const [edit, message] of [
      [{ set: { a: cycle } }, /the value is nested too deeply/],
      [{ set: { a: { prototype: 1 } } }, /the key "prototype" is reserved/],
      [{ setIn: [{ path: ['a', 'x'], value: 1 }] }, /"x" cannot be set inside a value that is no map/],
    ] as const)
      assert.throws(() => editDocument(text, edit), message);
    assert.throws(
      () => editDocument(text, { setIn: [{ path: ['l', '5'], value: 1 }] }),
      (error) =>
        error instanceof DocumentError &&
        error.problem.code === 'not_a_map' &&
        /a list of 1 items has no place "5"/.test(error.message),
    );
  });
});
