import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isPluginWidget,
  isTypeName,
  lineOfReference,
  lostReferences,
  parseTemplate,
  schemaOf,
  type TemplateDefinition,
  titleOf,
  WIDGETS,
} from './index.ts';

function parsed(frontmatter: string, type = 'ship') {
  const path = `_Templates/Standard/${type.toUpperCase()}_TEMPLATE.md`;
  const read = parseTemplate({ path, text: `---\nentity_type: ${type}\n${frontmatter}\n---\n` });
  assert.ok(read.ok, JSON.stringify(read));
  return read;
}

const template = (frontmatter: string, type?: string): TemplateDefinition =>
  parsed(frontmatter, type).template;

function fieldOf(frontmatter: string) {
  const field = template(frontmatter).fields.at(-1);
  assert.ok(field);
  return field;
}

describe('the widget of a field', () => {
  const byName: [name: string, value: string, widget: string][] = [
    ['color_palette', '[]', 'color-palette'],
    ['palette', '""', 'color-palette'],
    ['sail_colours', '[]', 'color-palette'],
    ['colour', '""', 'color'],
    ['hull_color', '""', 'color'],
    ['birth_year', '5', 'year'],
    ['year', '""', 'year'],
    ['start_date', '""', 'date'],
    ...['image', 'portrait', 'icon', 'thumbnail', 'logo', 'map_image'].map(
      (name): [string, string, string] => [`the_${name}`, '""', 'image'],
    ),
    ...['url', 'website', 'link'].map((name): [string, string, string] => [name, '""', 'url']),
    ...['summary', 'notes', 'biography', 'backstory', 'history', 'background', 'overview'].map(
      (name): [string, string, string] => [`a_${name}`, '""', 'textarea'],
    ),
    ...['keywords', 'the_tags', 'aliases'].map((name): [string, string, string] => [name, '[]', 'tags']),
    ['the_year_of', '5', 'number'],
    ['tags', '""', 'text'],
    ['x', '""', 'text'],
    ['x', '5', 'number'],
    ['x', 'true', 'toggle'],
    ['x', '[]', 'list'],
    ['x', '{ a: 1 }', 'object'],
    ['x', '""\nfield_config: { x: { options: [a] } }', 'select'],
    ['x', '5\nfield_config: { x: { options: [1] } }', 'number'],
    ['x', '""\nfield_config: { x: { widget: range } }', 'range'],
    ['colour', '""\nfield_config: { colour: { reference_type: job } }', 'entity-selector'],
  ];
  for (const [name, value, widget] of byName)
    it(`${name}: ${value}`, () => {
      assert.equal(fieldOf(`${name}: ${value}`).widget, widget);
    });

  it('follows the declared type', () => {
    for (const [type, widget] of [
      ...['text', 'textarea', 'markdown'].map((word) => [word, 'textarea']),
      ...['date', 'year', 'color', 'image', 'url', 'range', 'tags', 'select'].map((word) => [word, word]),
      ['colour', 'color'],
      ['enum', 'select'],
      ['radio', 'radio-group'],
      ['email', 'text'],
    ])
      assert.equal(fieldOf(`fields: [{ name: x, type: ${type} }]`).widget, widget, type);
  });

  it('is one of those that the registry describes', () => {
    assert.deepEqual(
      WIDGETS.map(({ id, value_types, options }) => [id, value_types.join(' '), options.join(' ')]),
      [
        ['text', 'string number', ''],
        ['textarea', 'string', ''],
        ['number', 'number', 'min max step'],
        ['range', 'number', 'min max step show_value'],
        ['year', 'string number', 'min max'],
        ['date', 'string', ''],
        ['toggle', 'boolean', ''],
        ['select', 'string number', 'options'],
        ['radio-group', 'string number', 'options layout'],
        ['tags', 'array', 'options'],
        ['list', 'array', 'options'],
        ['object', 'object', ''],
        ['color', 'string', 'options'],
        ['color-palette', 'string array', 'options'],
        ['image', 'string', ''],
        ['url', 'string', ''],
        ['entity-selector', 'string array object', 'reference_type max_selections relationship_types'],
      ],
    );
    assert.equal(new Set(WIDGETS.map(({ label }) => label)).size, WIDGETS.length);
    assert.ok(WIDGETS.every(({ label }) => /^[A-Z]/.test(label)));
    assert.deepEqual(
      ['plugin:maps:pin', 'plugin:m', 'plugin:m:', 'x-plugin:m:p', 'plugin:m:p:q'].map(isPluginWidget),
      [true, false, false, false, false],
    );
  });
});

describe('the declared type of a field', () => {
  const cases: [declared: string, type: string, items: string | undefined, nullable: boolean][] = [
    ...'string str text textarea markdown date datetime time color colour url email select enum radio image asset file id reference entity'
      .split(' ')
      .map((word): [string, string, undefined, boolean] => [word, 'string', undefined, false]),
    ...'boolean bool toggle checkbox flag'
      .split(' ')
      .map((word): [string, string, undefined, boolean] => [word, 'boolean', undefined, false]),
    ...'number float decimal double integer int year range'
      .split(' ')
      .map((word): [string, string, undefined, boolean] => [word, 'number', undefined, true]),
    ...'array list tags multiselect multi_select references entities colors colours'
      .split(' ')
      .map((word): [string, string, string, boolean] => [word, 'array', 'string', false]),
    ...'object map mapping dict record'
      .split(' ')
      .map((word): [string, string, undefined, boolean] => [word, 'object', undefined, false]),
    ['String?', 'string', undefined, true],
    ['nullable bool', 'boolean', undefined, true],
    ['number[]', 'array', 'number', false],
    ['list of numbers', 'array', 'number', false],
    ['array<object>', 'array', 'object', false],
    ['array<bool>?', 'array', 'boolean', true],
  ];
  it('is a word, or a list of such', () => {
    for (const [declared, type, items, nullable] of cases) {
      const field = fieldOf(`fields: [{ name: x, type: "${declared}" }]`);
      assert.deepEqual([field.type, field.nullable], [type, nullable], declared);
      if (type === 'array') assert.equal(field.items, items, declared);
    }
  });

  it('that nothing knows is taken from the value, and told', () => {
    for (const declared of ['wibble', 'list of wibbles', '?string', 'of string']) {
      const read = parsed(`fields: [{ name: x, type: "${declared}", default: 5 }]`);
      assert.equal(read.template.fields.at(-1)?.type, 'number');
      assert.ok(
        read.template.problems.some(({ message }) => message.includes('is not known, taken as number')),
      );
    }
  });
});

describe('the keys of objects in a list', () => {
  const keysOf = (list: string) =>
    fieldOf(`x: ${list}`).properties?.map(({ name, type }) => `${name}: ${type}`);

  it('are those of the only one, or those of one type in all', () => {
    assert.deepEqual(keysOf('[{ a: 1, b: [] }]'), ['a: number', 'b: array']);
    assert.deepEqual(keysOf('[{ a: 1, b: x, c: [] }, { a: 2, b: 5, d: true }]'), ['a: number', 'd: boolean']);
    assert.deepEqual(keysOf('[{ a: null }, { a: 1 }]'), []);
  });

  it('are none for other lists', () => {
    for (const list of ['[1]', '[]', '[{ a: 1 }, 5]']) assert.equal(keysOf(list), undefined);
  });
});

describe('the layout of a type', () => {
  /** Spec 1 §2.1. */
  const LAYOUTS = `character Characters CH_
location Locations LOC_ maps
district Districts DST_
brand Brands BR_
faction Factions FAC_
item Items ITM_
job Jobs JOB_
quest Quests QST_
campaign Campaigns CMP_
event Events EVT_
dialogue Dialogues DLG_
timeline Timelines TL_
assembly Assemblies ASM_
style_bible StyleBibles STY_
universe Universes UNI_
star_city StarCities STAR_CITY_
toy Toys TOY_
church Churches CHURCH_
box Boxes BOX_`;
  it('is that of the specification, else made of its name', () => {
    for (const line of LAYOUTS.split('\n')) {
      const [type = '', folder, prefix, more] = line.split(' ');
      const { folder_name, file_prefix, asset_subfolders } = template('x: 1', type);
      const folders = ['images', 'audio', 'data', ...(more === undefined ? [] : [more])];
      assert.deepEqual([folder_name, file_prefix, asset_subfolders], [folder, prefix, folders]);
    }
    const biome = template('x: 1', 'biome');
    assert.deepEqual(
      [biome.folder_name, biome.file_prefix, biome.asset_subfolders],
      ['Biomes', 'BIO_', ['images', 'audio', 'video', 'maps']],
    );
  });

  it('comes with words for people', () => {
    assert.equal(titleOf('style_bible-of theWorld9Is'), 'Style Bible Of The World9 Is');
    assert.deepEqual(
      ['birth_year', 'eyeColor', '_', 'über_x'].map((name) => fieldOf(`${JSON.stringify(name)}: 1`).label),
      ['Birth year', 'Eye Color', '_', 'Über x'],
    );
    assert.deepEqual(
      ['a', '9_b', `a${'b'.repeat(63)}`, `a${'b'.repeat(64)}`, 'A', '_a', ''].map(isTypeName),
      [true, true, true, false, false, false, false],
    );
  });
});

const labelled = (...values: string[]) =>
  values.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));

const EXPECTED = {
  title: {
    type: ['string', 'null'],
    title: 'Title',
    description: 'Its name',
    default: '',
    'x-widget': 'text',
    'x-order': 0,
    'x-placeholder': 'Name it',
    'x-declared-type': 'string?',
  },
  masts: {
    type: 'integer',
    title: 'Masts',
    default: 2,
    'x-widget': 'range',
    'x-order': 1,
    'x-min': 1,
    'x-max': 9,
    'x-step': 1,
    'x-show-value': true,
    'x-declared-type': 'integer',
  },
  rig: {
    type: 'string',
    title: 'Rig',
    default: 'sloop',
    'x-options': labelled('sloop', 'cutter'),
    enum: ['sloop', 'cutter', ''],
    'x-widget': 'radio-group',
    'x-order': 2,
    'x-layout': 'row',
    'x-declared-type': 'enum',
  },
  mood: {
    type: 'string',
    title: 'Mood',
    default: '',
    'x-options': labelled('calm'),
    examples: ['calm'],
    'x-widget': 'select',
    'x-order': 3,
    'x-declared-type': 'string',
  },
  flags: {
    type: 'array',
    title: 'Flags',
    default: [],
    'x-options': labelled('red'),
    items: { type: 'string' },
    'x-widget': 'list',
    'x-order': 4,
    'x-declared-type': 'list of strings',
  },
  odd: { type: 'array', title: 'Odd', default: [1, 'a'], items: {}, 'x-widget': 'list', 'x-order': 5 },
  crew: {
    type: 'array',
    title: 'Crew',
    default: [{ rank: 'x', since: 1 }],
    items: {
      type: 'object',
      properties: {
        rank: { type: 'string', title: 'Rank', default: 'x', 'x-widget': 'text', 'x-order': 0 },
        since: { type: 'number', title: 'Since', default: 1, 'x-widget': 'number', 'x-order': 1 },
      },
      additionalProperties: true,
    },
    'x-widget': 'list',
    'x-order': 6,
  },
  hold: {
    type: 'object',
    title: 'Hold',
    default: { tons: 1 },
    properties: {
      tons: { type: 'number', title: 'Tons', default: 1, 'x-widget': 'number', 'x-order': 0 },
    },
    additionalProperties: true,
    'x-widget': 'object',
    'x-order': 7,
    'x-declared-type': 'object',
  },
  captain: {
    type: 'string',
    title: 'Captain',
    default: '',
    'x-widget': 'entity-selector',
    'x-order': 8,
    'x-max-selections': 1,
    'x-relationship-types': ['sails'],
    'x-reference-type': 'character',
    'x-declared-type': 'reference',
  },
};

describe('the schema of a type', () => {
  it('says all that a form needs', () => {
    const ship = template(`template_version: "3.1"
label: Ship
description: What sails
fields:
  - { name: title, type: "string?", required: true, description: Its name, placeholder: Name it }
  - { name: masts, type: integer, default: 2, required: true }
  - { name: rig, type: enum, default: sloop }
  - { name: mood, type: string, default: "" }
  - { name: flags, type: "list of strings" }
  - { name: odd, default: [1, a] }
  - { name: crew, default: [{ rank: x, since: 1 }] }
  - { name: hold, type: object, default: { tons: 1 } }
  - { name: captain, type: reference, reference_type: character }
field_config:
  masts: { min: 1, max: 9, step: 1, show_value: true, widget: range }
  rig: { options: [sloop, cutter], layout: row, widget: radio-group }
  mood: { options: [calm] }
  flags: { options: [red] }
  captain: { max_selections: 1, relationship_types: [sails] }
`);
    const schema = schemaOf(ship);
    const {
      properties,
      'x-attributes': attributes,
      ...rest
    } = schema as Record<string, Record<string, unknown>>;
    assert.deepEqual(rest, {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:canonry:entity:ship:3.1',
      title: 'Ship',
      description: 'What sails',
      type: 'object',
      required: ['title', 'masts'],
      additionalProperties: true,
      'x-entity-type': 'ship',
      'x-template-version': '3.1',
    });
    assert.deepEqual(attributes?.status, { type: 'string', enum: ['active', 'archived', 'draft'] });
    assert.deepEqual(properties, EXPECTED);
  });
});

describe('references to types that are not there', () => {
  it('are found at any depth, with the line', () => {
    const text = 'x: { y: "" }\nfield_config:\n  x.y: { reference_type: charcter }\n  z: {}\nz: ""';
    const { fields } = template(text);
    assert.deepEqual(lostReferences({ fields }, new Set(['character'])), [
      {
        field: 'x.y',
        message: 'field "x.y" refers to "charcter", which is not a type (did you mean \'character\'?)',
      },
    ]);
    assert.deepEqual(lostReferences({ fields }, new Set(['charcter'])), []);
    const data = {
      field_config: { z: { reference_type: 5 }, x: { reference_type: 'a' } },
      fields: [7, { name: 5, reference_type: 'a' }, { name: 'z', reference_type: 'b' }],
    };
    const lineOf = (path: readonly (string | number)[]) => path.join('.').length;
    assert.equal(lineOfReference(data, lineOf, 'x'), 'field_config.x.reference_type'.length);
    assert.equal(lineOfReference(data, lineOf, 'z'), 'fields.2.reference_type'.length);
    assert.equal(lineOfReference(data, lineOf, 'none'), undefined);
  });
});
