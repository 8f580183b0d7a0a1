import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { createDocument, DocumentError, readDocument } from '../frontmatter/index.ts';
import { type FieldChange, migrateEntity, migrateTemplate } from './index.ts';

const FILE =
  '\uFEFF---\r\nid: mira   # hers\r\n"age": \'41\' # counted\r\nstats: {nerve: 3}\r\ntags:\r\n  - a\r\n  - b\r\n---\r\n\r\nBody: age\r\n';
const migrate = (changes: FieldChange[], text = FILE, order: string[] = []) =>
  migrateEntity(text, changes, order);

test('a renamed field keeps value, comment and place byte for byte', () => {
  assert.equal(migrate([{ kind: 'rename', field: 'age', to: 'years' }]).text, FILE.replace('"age"', 'years'));
  assert.equal(
    migrate([{ kind: 'rename', field: 'tags', to: 'on' }]).text,
    FILE.replace('tags', '"on"'),
    'a word that YAML reads otherwise is quoted',
  );
  const { text, effects } = migrate([{ kind: 'rename', field: 'age', to: 'tags' }]);
  assert.equal(text, FILE);
  assert.deepEqual(effects, [
    { kind: 'refused', has: true, line: 3, value: '41', reason: "the file has a field 'tags' already" },
  ]);
});

test('retyping, removing and adding touch the lines of their field alone', () => {
  const { text, effects } = migrate(
    [
      { kind: 'retype', field: 'age', type: 'number' },
      { kind: 'retype', field: 'stats', type: 'string' },
      { kind: 'remove', field: 'tags' },
      { kind: 'add', field: 'mood', value: null },
      { kind: 'add', field: 'age', value: 1 },
    ],
    FILE,
    ['age', 'mood', 'stats'],
  );
  assert.equal(
    text,
    FILE.replace("'41'", '41')
      .replace('tags:\r\n  - a\r\n  - b\r\n', '')
      .replace('stats', 'mood: null\r\nstats'),
  );
  assert.deepEqual(
    effects.map(({ kind }) => kind),
    ['changed', 'refused', 'changed', 'changed', 'none'],
  );
});

test('values become another type only where they say the same', () => {
  const cases: [unknown, 'string' | 'number' | 'boolean' | 'array' | 'object', unknown][] = [
    ['12', 'number', 12],
    [' 1.5 ', 'number', 1.5],
    ['', 'number', null],
    ['twelve', 'number', undefined],
    ['0x10', 'number', undefined],
    [['1'], 'number', undefined],
    [12, 'string', '12'],
    [['a', 'b'], 'string', 'a, b'],
    [['a, b'], 'string', undefined],
    [{ a: 1 }, 'string', undefined],
    ['yes', 'boolean', true],
    [0, 'boolean', false],
    ['maybe', 'boolean', undefined],
    ['a', 'array', ['a']],
    ['', 'array', []],
    ['a', 'object', undefined],
    [null, 'object', null],
  ];
  for (const [value, type, expected] of cases) {
    const text = createDocument({ id: 'x', field: value }, 'Body\n');
    const { text: next, effects } = migrate([{ kind: 'retype', field: 'field', type }], text);
    const read = readDocument(next);
    assert.ok(read.ok);
    assert.deepEqual(read.data.field, expected === undefined ? value : expected, JSON.stringify(value));
    assert.equal(effects[0]?.kind === 'refused', expected === undefined, JSON.stringify(value));
  }
});

/** Null if frontmatter cannot hold the values. */
function documentWith(data: Record<string, unknown>): string | null {
  try {
    return createDocument(data, 'Body\n');
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

test('a rename there and back gives the same bytes, whatever the value', () => {
  const key = fc.stringMatching(/^f_[a-z0-9_]{0,8}$/);
  fc.assert(
    fc.property(key, key, fc.jsonValue({ maxDepth: 3 }), (from, to, value) => {
      fc.pre(from !== to);
      const text = documentWith({ id: 'x', [from]: value, last: 1 });
      fc.pre(text !== null);
      const there = migrate([{ kind: 'rename', field: from, to }], text).text;
      assert.notEqual(there, text);
      assert.equal(migrate([{ kind: 'rename', field: to, to: from }], there).text, text);
    }),
    { numRuns: 500 },
  );
});

test('a template follows with default, form hints and version', () => {
  const template =
    '---\ntemplate_version: "2.3"\nentity_type: relic\nage: 4 # years\nmotto: "[Words]"\nfield_config:\n  age: { min: 0 } # hint\n  motto: { widget: textarea }\n---\n';
  assert.equal(
    migrateTemplate(template, [
      { kind: 'rename', field: 'age', to: 'years' },
      { kind: 'retype', field: 'motto', type: 'array' },
      { kind: 'add', field: 'mood', value: 'calm' },
    ]),
    '---\ntemplate_version: "2.4"\nentity_type: relic\nyears: 4 # years\nmotto: []\nmood: calm\nfield_config:\n  years: { min: 0 } # hint\n  motto: { widget: textarea }\n---\n',
  );
  assert.equal(migrateTemplate(template, [{ kind: 'remove', field: 'age' }]).includes('age:'), false);
});
