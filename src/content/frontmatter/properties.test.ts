import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  awkwardString,
  jsonMap,
  jsonValue,
  type NastyDocument,
  type NastyPair,
  nastyDocument,
} from '../../../test/support/nasty-documents.ts';
import fc from '../../../test/support/properties.ts';
import { createDocument, editDocument, formatDocument, readDocument, splitDocument } from './index.ts';

const RUNS = 1000;

function check<Ts extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Ts>, runs = RUNS) {
  fc.assert(property, { numRuns: runs });
}

function read(text: string) {
  const result = readDocument(text);
  assert.ok(result.ok, result.ok ? '' : `${result.problem.reason}\n${text}`);
  return result;
}

/** The generator also makes some that YAML forbids. */
const document = nastyDocument.filter(({ text }) => readDocument(text).ok);
const editableDocument = document.filter(({ pairs }) => pairs.length > 0);

const edit = fc.record({ pick: fc.nat(), mutation: fc.nat(), value: jsonValue });

/** One leaf, entry or item differs. */
function mutate(present: unknown, choice: number, value: unknown): unknown {
  if (Array.isArray(present) && present.length > 0) return mutateList(present, choice, value);
  if (typeof present === 'object' && present !== null && Object.keys(present).length > 0) {
    return mutateMap(present as Record<string, unknown>, choice, value);
  }
  return value;
}

function mutateList(list: readonly unknown[], choice: number, value: unknown): unknown[] {
  const index = (choice >>> 3) % list.length;
  const kinds = [
    () => list.toSpliced(index, 1),
    () => list.toSpliced(index, 0, value),
    () => [...list, value],
    () => list.with(index, mutate(list[index], choice >>> 5, value)),
  ];
  return (kinds[choice % 4] ?? (() => []))();
}

function mutateMap(map: Record<string, unknown>, choice: number, value: unknown): Record<string, unknown> {
  const keys = Object.keys(map);
  const key = keys[(choice >>> 3) % keys.length] ?? '';
  const { [key]: present, ...others } = map;
  const kinds = [
    () => others,
    () => ({ ...map, added: value }),
    () => ({ ...map, [key]: mutate(present, choice >>> 5, value) }),
  ];
  return (kinds[choice % 3] ?? (() => ({})))();
}

function pickPair(source: NastyDocument, pick: number) {
  const pair = source.pairs[pick % source.pairs.length];
  assert.ok(pair);
  return pair;
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Everything before and after the pair's own lines must be the same. */
function assertOnlyLinesOf(source: NastyDocument, name: string, edited: string) {
  const pair = source.pairs.find((candidate) => candidate.name === name);
  assert.ok(pair);
  const lines = linesOf(source.text);
  const before = lines.slice(0, pair.firstLine).join('');
  const after = lines.slice(endOf(source, pair)).join('');
  assert.ok(edited.startsWith(before), `lines above "${name}" changed:\n${source.text}\n=>\n${edited}`);
  assert.ok(
    edited.slice(before.length).endsWith(after),
    `lines below "${name}" changed:\n${source.text}\n=>\n${edited}`,
  );
}

/** A block scalar also owns the blank and deeper lines that follow its pair, even those that look like comments. */
function endOf(source: NastyDocument, pair: NastyPair): number {
  const lines = linesOf(source.text);
  const ownsMore = /[|>][-+0-9]*(?: #.*)?\r?$/m.test(lines.slice(pair.firstLine, pair.endLine).join(''));
  let end = pair.endLine;
  while (ownsMore && /^(?: +#.*| *)\r?\n/.test(lines[end] ?? '')) end++;
  return end;
}

/** Anchors of the pair may move to an alias in another pair. */
function hasAnchor(source: NastyDocument, name: string): boolean {
  const pair = source.pairs.find((candidate) => candidate.name === name);
  return linesOf(source.text).slice(pair?.firstLine, pair?.endLine).join('').includes('&a');
}

describe('documents of any shape', () => {
  it('split into head and body that together are the text', () => {
    check(
      fc.property(nastyDocument, fc.string(), ({ text, body }, noise) => {
        const parts = splitDocument(text);
        assert.equal(parts.head + parts.body, text);
        assert.equal(parts.body, body);
        const other = splitDocument(noise);
        assert.equal(other.head + other.body, noise);
      }),
    );
  });

  it('are mostly valid, so that the properties below test what they say', () => {
    const samples = fc.sample(nastyDocument, 1000);
    const valid = samples.filter(({ text }) => readDocument(text).ok).length;
    assert.ok(valid > 600, `${valid} of 1000 are valid`);
  });

  it('have a line for each of their fields', () => {
    check(
      fc.property(editableDocument, ({ text, pairs }) => {
        const { lineOf } = read(text);
        for (const pair of pairs) assert.equal(lineOf([pair.name]), pair.firstLine + 1);
      }),
      300,
    );
  });
});

describe('an edit of one field', () => {
  it('reads back, leaves the other fields and touches only its own lines', () => {
    check(
      fc.property(editableDocument, edit, (source, { pick, mutation, value }) => {
        const { data } = read(source.text);
        const { name } = pickPair(source, pick);
        const next = mutation % 3 === 0 ? value : mutate(data[name], mutation, value);
        const edited = editDocument(source.text, { set: { [name]: next } });
        const after = read(edited);
        assert.deepEqual(after.data, { ...data, [name]: JSON.parse(JSON.stringify(next)) });
        assert.equal(after.body, source.body);
        if (!hasAnchor(source, name)) assertOnlyLinesOf(source, name, edited);
        if (source.newline === '\r\n') assert.doesNotMatch(after.head, /[^\r]\n/);
      }),
      2 * RUNS,
    );
  });

  it('that sets the present value changes no byte', () => {
    check(
      fc.property(document, fc.nat(), ({ text }, pick) => {
        const { data, body } = read(text);
        assert.equal(editDocument(text, { set: structuredClone(data), body }), text);
        const key = Object.keys(data)[pick % Math.max(1, Object.keys(data).length)];
        if (key !== undefined)
          assert.equal(editDocument(text, { set: { [key]: structuredClone(data[key]) } }), text);
      }),
    );
  });

  it('is undone by setting the old value back', () => {
    check(
      fc.property(editableDocument, edit, (source, { pick, value }) => {
        const { data } = read(source.text);
        const { name } = pickPair(source, pick);
        const edited = editDocument(source.text, { set: { [name]: value } });
        const back = read(editDocument(edited, { set: { [name]: data[name] } }));
        assert.deepEqual(back.data, data);
        assert.equal(back.body, source.body);
      }),
    );
  });

  it('that adds a field and removes it again gives the same text', () => {
    check(
      fc.property(document, jsonValue, ({ text }, value) => {
        const added = editDocument(text, { set: { brand_new: value } });
        assert.equal('brand_new' in read(added).data, true);
        assert.equal(editDocument(added, { unset: ['brand_new'] }), text);
      }),
    );
  });

  it('that removes a field leaves all others', () => {
    check(
      fc.property(editableDocument, fc.nat(), (source, pick) => {
        const { data } = read(source.text);
        const { name } = pickPair(source, pick);
        const edited = editDocument(source.text, { unset: [name] });
        const { [name]: _, ...others } = data;
        assert.deepEqual(read(edited).data, others);
        assert.equal(read(edited).body, source.body);
      }),
    );
  });
});

describe('an edit of several things', () => {
  it('reads back as the sum of them', () => {
    check(
      fc.property(
        editableDocument,
        fc.array(edit, { maxLength: 3 }),
        jsonMap,
        awkwardString,
        (source, edits, fresh, body) => {
          const { data } = read(source.text);
          const set: Record<string, unknown> = { ...fresh };
          for (const { pick, mutation, value } of edits) {
            const { name } = pickPair(source, pick);
            set[name] = mutate(data[name], mutation, value);
          }
          const dropped = pickPair(source, edits.length).name;
          const after = read(editDocument(source.text, { set, unset: [dropped], body }));
          const { [dropped]: _, ...expected } = { ...data, ...set };
          assert.deepEqual(after.data, JSON.parse(JSON.stringify(expected)));
          assert.equal(after.body, body);
        },
      ),
    );
  });
});

describe('a created document', () => {
  it('reads back the data and body it was made of', () => {
    check(
      fc.property(
        jsonMap,
        fc.string(),
        fc.constantFrom<'\n' | '\r\n'>('\n', '\r\n'),
        (data, body, newline) => {
          const after = read(createDocument(data, body, newline));
          assert.deepEqual(after.data, JSON.parse(JSON.stringify(data)));
          assert.equal(after.body, body);
        },
      ),
    );
  });
});

describe('formatting', () => {
  it('keeps the values and the words of the body, and is done after one time', () => {
    check(
      fc.property(document, ({ text }) => {
        const formatted = formatDocument(text);
        assert.deepEqual(read(formatted).data, read(text).data);
        assert.equal(read(formatted).body.trim(), read(text).body.replaceAll('\r\n', '\n').trim());
        assert.equal(formatDocument(formatted), formatted);
        assert.doesNotMatch(formatted, /\r\n/);
        assert.match(formatted, /\n$/);
      }),
    );
  });
});
