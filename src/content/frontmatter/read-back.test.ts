import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonValue, nastyDocument } from '../../../test/support/nasty-documents.ts';
import fc from '../../../test/support/properties.ts';
import { changeDocument, type DocumentEdit, readDocument } from './index.ts';
import type { ReadResult } from './read.ts';
import { presentYaml, readBack } from './read-back.ts';
import { applySplices, type Splice } from './splice.ts';
import { splitDocument } from './split.ts';

/** The order of keys counts. */
const seen = (read: ReadResult) =>
  read.ok ? [read.head, read.body, JSON.stringify(read.data), read.lineOf(['b', 0])] : 'unreadable';

/** Read back both incrementally and as a whole. */
function bothWays(text: string, splices: Splice[]) {
  const { yaml } = splitDocument(text);
  const read = readDocument(text);
  assert.ok(read.ok, text);
  const edited = applySplices(yaml, splices) ?? '';
  const start = text.indexOf('\n') + 1;
  const after = text.slice(0, start) + edited + text.slice(start + yaml.length);
  const present = presentYaml(yaml, read.data);
  const parts = seen(readBack(present, { yaml: edited, splices }, after));
  return { parts, whole: seen(readDocument(after)), present };
}

const framed = (yaml: string) => `---\n${yaml}---\n\nBody\n`;
const PLAIN = 'a: 1\nb:\n  - x\n  - y\nc: "three"\nd: |\n  text\n\ne: five\n';

const snippet = fc.oneof(
  fc.constantFrom(
    '"',
    "'",
    '\n',
    '\n\n',
    ' ',
    '  ',
    '\t',
    ': ',
    ':',
    '- ',
    '\n- x\n',
    '#',
    ' # note',
    '[',
    ']',
  ),
  fc.constantFrom(
    '{',
    '}',
    '|',
    '|+\n',
    '>\n',
    '&x ',
    '*x',
    '!!str ',
    '...\n',
    '\n---\n',
    '? ',
    '%YAML 1.2\n',
    'a',
  ),
  fc.constantFrom(
    '<<: {a: 2}\n',
    '\na: 2\n',
    '\nb: 2\n',
    '\n  c: 2\n',
    '"a": 2\n',
    '\uFEFF',
    '\0',
    '\r',
    '\r\n',
  ),
  fc.string({ maxLength: 4 }),
);

describe('reading back after an edit', () => {
  it('by the lines that changed gives what reading all gives, whatever was done to the text', () => {
    const document = fc.oneof(
      fc.constant(framed(PLAIN)),
      nastyDocument.map(({ text }) => text).filter((text) => readDocument(text).ok),
    );
    const change = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 12 }),
      put: fc.array(snippet, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(document, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
        const { length } = splitDocument(text).yaml;
        const splices = changes.map(({ at, cut, put }) => {
          const start = at % (length + 1);
          return { start, end: Math.min(length, start + cut), text: put.join('') };
        });
        fc.pre(applySplices('', splices) !== undefined);
        const { parts, whole } = bothWays(text, splices);
        assert.deepEqual(parts, whole);
      }),
      { numRuns: 4000 },
    );
  });

  it('gives an edited document as the file says it, keys in the order of the text', () => {
    const source = nastyDocument.filter(({ text, pairs }) => pairs.length > 0 && readDocument(text).ok);
    fc.assert(
      fc.property(source, fc.nat(), jsonValue, jsonValue, ({ text, pairs }, pick, value, added) => {
        const read = readDocument(text, { toEdit: true });
        assert.ok(read.ok);
        const name = pairs[pick % pairs.length]?.name ?? '';
        const edit = { set: { [name]: value, added }, after: { added: name } };
        let changed: ReturnType<typeof changeDocument>;
        try {
          changed = changeDocument(read, edit);
        } catch {
          return;
        }
        assert.deepEqual(seen(changed), seen(readDocument(changed.head + changed.body)));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes the values of the entries that nobody touched from before', () => {
    const read = readDocument('---\na: {x: 1}\nb: [1]\nc: {y: 2}\nd: {z: 3}\ne: [5]\n---\n');
    assert.ok(read.ok);
    const { data } = read;
    const edits: [edit: DocumentEdit, same: string][] = [
      [{ set: { a: 1 } }, 'bcde'],
      [{ set: { c: 1 } }, 'abde'],
      [{ set: { e: 1 } }, 'abcd'],
      [{ set: { b: 1, d: 1 } }, 'ace'],
      [{ set: { b: 1, c: { y: 3 } } }, 'ade'],
      [{ set: { n: 1 } }, 'abcd'],
      [{ set: { n: 1 }, after: { n: 'b' } }, 'ade'],
      [{ unset: ['c'] }, 'ae'],
    ];
    for (const [edit, same] of edits) {
      const after: Record<string, unknown> = changeDocument(read, edit).data;
      for (const key of same) assert.equal(after[key], data[key], JSON.stringify([edit, key]));
    }
  });

  it('of a part alone is not tried where entries depend on each other or on where they stand', () => {
    const whole = [
      '',
      '# c\n',
      '  a: 1\n  b: 2\n',
      '? a\n: 1\nb: 2\n',
      'b: 1\n? a\n',
      'a: &x 1\nb: 2\n',
      'a: &x 1\nb: *x\n',
      '&k a: 1\n',
      '%YAML 1.2\n--- # c\na: 1\n',
      '--- # c\na: 1\n',
      'a: 1\n... # c\n',
      '{a: 1}\n',
      '!!map\na: 1\n',
      '"\uFEFFa": 1\n',
    ];
    const entriesOf = (yaml: string) => {
      const read = readDocument(framed(yaml));
      assert.ok(read.ok, yaml);
      return presentYaml(yaml, read.data).entries;
    };
    for (const yaml of whole) assert.equal(entriesOf(yaml), undefined, yaml);
    for (const yaml of ['a: 1\nb: 2\n', ': 1\n!!str b: 2\n', 'b: 1\n  # x\na: 2\n'])
      assert.equal(entriesOf(yaml)?.length, 2, yaml);
  });

  const cases: [string, string, string][] = [
    ['a line that goes on in the entry before', 'c: ', '  c: '],
    ['a quote that is left open', '"three"', '"three'],
    ['a key that is there twice', 'c: ', 'a: '],
    ['an end of the document', '"three"\n', '3\n--- \n'],
    ['a name for a value', '"three"', '&e three'],
    ['an indented list that loses its key', 'b:\n', ''],
    ['a first entry that goes', 'a: 1\n', ''],
    ['a last entry that goes', 'e: five\n', ''],
    ['text that keeps its blank lines', '|', '|+'],
  ];
  for (const [name, old, text] of cases) {
    it(`sees ${name}`, () => {
      const start = PLAIN.indexOf(old);
      const { parts, whole, present } = bothWays(framed(PLAIN), [{ start, end: start + old.length, text }]);
      assert.ok(present.entries);
      assert.deepEqual(parts, whole);
    });
  }
});
