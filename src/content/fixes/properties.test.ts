import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { deepEqual } from '../../text/json.ts';
import { entityFromDocument } from '../entity/index.ts';
import { createDocument, DocumentError, readDocument } from '../frontmatter/index.ts';
import { parseTemplate } from '../template/index.ts';
import { fixEntity } from './fix-entity.ts';
import type { FixOptions } from './types.ts';
import { nameKey } from './words.ts';

const parsed = parseTemplate({
  path: '_Templates/Custom/SHIP_TEMPLATE.md',
  text: `---
entity_type: ship
armed: false
speed: 3
call_sign: ""
tags: []
crew: []
home: ""
launch_date: ""
hull: { material: oak, weight: 10 }
voyages: [{ port: "", cargo: "" }]
field_config:
  crew: { reference_type: port }
  home: { reference_type: port }
  voyages.port: { reference_type: port }
fields:
  - { name: rig, type: select, options: [sloop, brig], default: sloop, required: true }
---
`,
});
assert.ok(parsed.ok);
const { template } = parsed;

const IDS = ['old_harbour', 'yes', '7', 'sloop'];
const options = (removeDangling: boolean): FixOptions => ({
  kinds: null,
  removeDangling,
  hasRealCalendar: true,
  isPreview: false,
  known: {
    hasType: (type) => type === 'port',
    exists: (_type, id) => IDS.includes(id),
    meant: (_type, word) => IDS.filter((id) => nameKey(id) === nameKey(word)),
  },
});

const word = fc.constantFrom(
  ...[
    'Old Harbour',
    'old_harbour',
    'ghost',
    'a, b',
    'yes',
    'No',
    'TRUE',
    '42',
    '007',
    ' 1.5 ',
    'Sloop',
    'BRIG',
    '',
  ],
  ...[
    '12 March 2020',
    '3/4/2020',
    '2020/1/2',
    'Active',
    'WIP',
    '[[Old Harbour]]',
    '[[ghost|x]]',
    'Ship',
    'a: "b" # c',
  ],
);
const leaf = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.constantFrom<unknown>(0, 1, 7, 1.5, 42, true, false, null),
  fc.string({ maxLength: 8 }),
);
const map = fc.dictionary(
  fc.constantFrom('port', 'cargo', 'material', 'weight', 'id', 'other'),
  fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })),
  { maxKeys: 3 },
);
const value = fc.oneof({ weight: 5, arbitrary: leaf }, fc.array(fc.oneof(leaf, map), { maxLength: 4 }), map);
const key = fc.constantFrom(
  ...[
    'id',
    'entity_type',
    'status',
    'armed',
    'speed',
    'call_sign',
    'tags',
    'crew',
    'home',
    'launch_date',
    'hull',
  ],
  ...['voyages', 'rig', 'created_date', 'unknown'],
);
const flow = fc.boolean();

/** Lists and maps in both styles, and a comment beside each field. */
const file = fc
  .tuple(
    fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 8 }),
    flow,
    fc.boolean(),
  )
  .map(([entries, isFlow, isWindows]) => {
    const lines = entries.map(([name, given]) => {
      if (isFlow) return `${name}: ${JSON.stringify(given)} # of ${name}\n`;
      const { head } = split(createDocument({ [name]: given }, ''));
      return head;
    });
    const text = `---\n${lines.join('')}---\n\nBody of *it*\n`;
    return isWindows ? text.replaceAll('\n', '\r\n') : text;
  });
const split = (text: string) => ({ head: text.replace(/^---\n/, '').replace(/---\n*$/, '') });

const safeFile = file.filter((text) => readDocument(text).ok);
const fixed = (text: string, removeDangling: boolean) =>
  fixEntity(template, { text, folderId: 'sea_hawk' }, options(removeDangling));
const read = (text: string) => {
  const document = readDocument(text);
  assert.ok(document.ok, text);
  return document;
};

/** With what stands between a field and the next. */
function linesByField(text: string): Map<string, string> {
  const { data, lineOf } = read(text);
  const lines = text.split('\n');
  const end = lines.indexOf(lines.find((line, index) => index > 0 && line.trimEnd() === '---') ?? '', 1);
  const starts = Object.keys(data)
    .map((name) => ({ name, line: lineOf([name]) }))
    .sort((a, b) => a.line - b.line);
  return new Map(
    starts.map(({ name, line }, index) => [
      name,
      lines.slice(line - 1, (starts[index + 1]?.line ?? end + 1) - 1).join('\n'),
    ]),
  );
}

const runs = { numRuns: 300 };

test('fixing twice changes nothing more', () => {
  fc.assert(
    fc.property(safeFile, fc.boolean(), (text, removeDangling) => {
      const once = fixed(text, removeDangling);
      const twice = fixed(once.text, removeDangling);
      assert.equal(twice.text, once.text);
      assert.deepEqual(twice.fixes, []);
      assert.deepEqual(twice.unfixable, once.unfixable);
      assert.equal(once.fixes.length === 0, once.text === text);
    }),
    runs,
  );
});

test('a fix touches the lines of its own field alone', () => {
  fc.assert(
    fc.property(safeFile, fc.boolean(), (text, removeDangling) => {
      const { text: after, fixes } = fixed(text, removeDangling);
      const touched = new Set(fixes.map(({ field }) => field.split('.')[0]));
      assert.equal(read(after).body, read(text).body);
      const [old, next] = [linesByField(text), linesByField(after)];
      for (const [name, lines] of old) {
        if (!touched.has(name)) assert.equal(next.get(name), lines, name);
      }
      for (const name of next.keys()) assert.ok(old.has(name) || touched.has(name), name);
    }),
    runs,
  );
});

test('after a fix its finding is gone, and none has come', () => {
  fc.assert(
    fc.property(safeFile, (text) => {
      const contentOf = (source: string) => {
        const { data, body } = read(source);
        return entityFromDocument(template, { data, body, folderId: 'sea_hawk' });
      };
      const { text: after, fixes } = fixed(text, false);
      const [before, left] = [contentOf(text).validation_errors, contentOf(after).validation_errors];
      const mended = new Set(fixes.map(({ field }) => field));
      // Values inside something that should have been a list are checked once it is one.
      const isWithin = (field: string | null) => [...mended].some((one) => field?.startsWith(`${one}.`));
      assert.ok(left.filter(({ field }) => !isWithin(field)).length <= before.length);
      assert.deepEqual(
        left.filter(({ field }) => field !== null && mended.has(field)),
        [],
      );
      assert.equal(contentOf(after).entity_id, contentOf(text).entity_id);
    }),
    runs,
  );
});

test('every finding is mended or named, and every fix tells what it did', () => {
  fc.assert(
    fc.property(safeFile, (text) => {
      const { text: after, fixes, unfixable } = fixed(text, false);
      const { data, body } = read(after);
      const { validation_errors } = entityFromDocument(template, { data, body, folderId: 'sea_hawk' });
      for (const { field } of validation_errors) {
        assert.ok(unfixable.some((one) => one.field === field || field?.startsWith(`${one.field}.`)));
      }
      for (const { before, after: now } of fixes) assert.ok(!deepEqual(before, now));
    }),
    runs,
  );
});

test('any file at all: fixed, or left as it is', () => {
  fc.assert(
    fc.property(fc.string(), fc.dictionary(key, fc.jsonValue()), (noise, data) => {
      assert.equal(fixed(noise, true).text, noise);
      let text: string;
      try {
        text = createDocument(data, noise);
      } catch (error) {
        assert.ok(error instanceof DocumentError);
        return;
      }
      read(fixed(text, true).text);
    }),
    runs,
  );
});
