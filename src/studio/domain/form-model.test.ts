import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { starterTemplates } from '../../../test/support/starter-templates.ts';
import { schemaOf } from '../../content/template/index.ts';
import type { FormField } from './form-field.ts';
import { type FormGroup, formModelOf } from './form-model.ts';

const schemas = [...starterTemplates()].map(([type, template]) => [type, schemaOf(template)] as const);
const character = schemaOf(starterTemplates().get('character') ?? assert.fail('no character'));

const kindsOf = (groups: readonly FormGroup[]) => groups.map(({ kind }) => kind);
const everyField = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((field) => [field, ...everyField(field.fields)]);
const fieldsOf = (groups: readonly FormGroup[]) => everyField(groups.flatMap(({ fields }) => fields));
const fieldNamed = (groups: readonly FormGroup[], path: string): FormField =>
  fieldsOf(groups).find((field) => field.path === path) ?? assert.fail(`no field ${path}`);

const modelOf = (properties: Record<string, unknown>, values: Record<string, unknown> = {}) =>
  formModelOf({ type: 'object', properties }, values);

describe('the forms of the starter templates', () => {
  assert.ok(schemas.length > 10);
  for (const [type, schema] of schemas)
    test(`${type}: each field has the widget that its template asks for`, () => {
      const groups = formModelOf(schema, {});
      const properties = Object.keys(schema.properties as object);
      const shown = groups.filter(({ kind }) => kind !== 'production').flatMap(topNames);
      assert.deepEqual(shown.toSorted(), properties.toSorted());
      assert.deepEqual(
        fieldsOf(groups).filter(({ unknownWidget }) => unknownWidget !== null),
        [],
      );
    });
});

const topNames = ({ kind, id, fields }: FormGroup): string[] =>
  kind === 'object' ? [id.slice('object:'.length)] : fields.map(({ name }) => name);

describe('groups', () => {
  test('a field with the widget of a plugin is one field, whatever its values are', () => {
    const arc = {
      type: 'object',
      'x-widget': 'plugin:maps:pin',
      properties: { beginning: { type: 'string' } },
    };
    for (const value of [undefined, { beginning: 'the sea' }, 'a text']) {
      const groups = modelOf({ arc }, { arc: value });
      assert.deepEqual(kindsOf(groups), ['fields']);
      assert.equal(fieldNamed(groups, 'arc').unknownWidget, 'plugin:maps:pin');
    }
  });

  test('fields come first in the order of the file, then objects, production and what has left the template', () => {
    const groups = formModelOf(character, { old_habit: 'hums', gait: { speed: 3 } });
    assert.deepEqual(kindsOf(groups), ['fields', 'object', 'object', 'object', 'production', 'kept']);
    assert.deepEqual(
      groups[0]?.fields.slice(0, 3).map(({ name }) => name),
      ['aliases', 'pronouns', 'summary'],
    );
    assert.deepEqual(groups[1]?.label, 'Arc');
    assert.deepEqual(
      groups[1]?.fields.map(({ path }) => path),
      ['arc.beginning', 'arc.turning_point', 'arc.ending'],
    );
    const kept = groups.at(-1)?.fields ?? [];
    assert.deepEqual(
      kept.map(({ path, widget }) => [path, widget]),
      [
        ['old_habit', 'text'],
        ['gait', 'object'],
      ],
    );
    assert.deepEqual(
      kept[1]?.fields.map(({ path, widget }) => [path, widget]),
      [['gait.speed', 'number']],
    );
  });

  test('production is three selects and notes', () => {
    const production = formModelOf(character, {}).find(({ kind }) => kind === 'production');
    assert.deepEqual(
      production?.fields.map(({ path, widget }) => [path, widget]),
      [
        ['production_status.general', 'select'],
        ['production_status.game_platform', 'select'],
        ['production_status.tv_showrunner', 'select'],
        ['production_status.notes', 'text'],
      ],
    );
    assert.deepEqual(production?.fields[0]?.options[2], { value: 'needs_work', label: 'Needs work' });
  });

  test('a key that the template does not know keeps its place in its object', () => {
    const groups = formModelOf(character, { arc: { ending: 'at sea', epilogue: 'a letter' } });
    assert.equal(fieldNamed(groups, 'arc.epilogue').widget, 'text');
  });

  test('a text where an object belongs is edited as the text that it is', () => {
    const groups = formModelOf(character, { arc: 'She learns to swim' });
    assert.equal(fieldNamed(groups, 'arc').widget, 'text');
    assert.equal(fieldNamed(groups, 'arc').label, 'Arc');
  });

  test('a key with a dot is no path into an object', () => {
    assert.equal(modelOf({}, { 'a.b': 1 })[0]?.fields[0]?.path, 'a\\.b');
  });
});

describe('fields', () => {
  test('a placeholder loses its brackets, line by line', () => {
    const groups = modelOf({
      beats: { type: 'array', 'x-placeholder': '[1. Opening move]\n[2. The answer]' },
      want: { type: 'string', 'x-placeholder': '[What they want]' },
      plain: { type: 'string', 'x-placeholder': 'as [it] is' },
    });
    assert.equal(fieldNamed(groups, 'beats').placeholder, '1. Opening move\n2. The answer');
    assert.equal(fieldNamed(groups, 'want').placeholder, 'What they want');
    assert.equal(fieldNamed(groups, 'plain').placeholder, 'as [it] is');
  });

  for (const [asked, type, widget] of [
    ['hologram', 'string', 'text'],
    ['hologram', 'number', 'number'],
    ['hologram', 'boolean', 'toggle'],
    ['hologram', 'array', 'list'],
    ['plugin:dice:roller', 'string', 'text'],
    ['toggle', 'array', 'list'],
    ['constructor', 'string', 'text'],
  ] as const)
    test(`the widget ${asked} for a value of type ${type} falls back to ${widget} and is named`, () => {
      const field = fieldNamed(modelOf({ odd: { type, 'x-widget': asked } }), 'odd');
      assert.deepEqual([field.widget, field.unknownWidget], [widget, asked]);
    });

  test('a list of objects is edited by their fields', () => {
    const lines = {
      type: 'array',
      'x-widget': 'list',
      items: { type: 'object', properties: { who: { type: 'string' }, says: { type: 'string' } } },
    };
    const field = fieldNamed(modelOf({ lines }), 'lines');
    assert.equal(field.widget, 'object-array');
    assert.deepEqual(
      field.fields.map(({ path }) => path),
      ['who', 'says'],
    );
  });

  test('a schema of any shape gives a form', () => {
    const odd = {
      a: null,
      b: { type: 7, title: ['x'], 'x-options': 'red', 'x-min': 'low', 'x-order': 'first', items: [] },
      c: { type: ['constructor', 'null'], 'x-widget': {}, enum: [null, {}, ''] },
      __proto__: { type: 'string' },
    };
    const groups = modelOf(odd, {
      d: [[1]],
      e: [{ f: 1 }, { g: [] }],
      h: { i: { j: { k: { l: { m: { n: 1 } } } } } },
    });
    assert.equal(fieldNamed(groups, 'b').label, 'B');
    assert.equal(fieldNamed(groups, 'c').hasOnlyOptions, true);
    assert.equal(fieldNamed(groups, 'd').widget, 'read-only-text');
    assert.deepEqual(
      fieldNamed(groups, 'e').fields.map(({ name }) => name),
      ['f', 'g'],
    );
    assert.deepEqual(formModelOf({}, {}), []);
  });
});
