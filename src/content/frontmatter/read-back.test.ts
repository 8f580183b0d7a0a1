import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonValue, nastyDocument } from '../../../test/support/nasty-documents.ts';
import fc from '../../../test/support/properties.ts';
import { changeDocument, readDocument } from './index.ts';
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
