import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from '../../../test/support/properties.ts';
import {
  bumpMinorVersion,
  type FieldDefinition,
  isPlaceholder,
  METADATA_KEYS,
  parseTemplate,
  resolveTemplates,
  schemaOf,
  type TemplateDefinition,
  templateFileName,
  templateTypeOfName,
} from './index.ts';

function template(frontmatter: string, type = 'ship', folder = 'Standard'): TemplateDefinition {
  const path = `_Templates/${folder}/${templateFileName(type)}`;
  const parsed = parseTemplate({ path, text: `---\nentity_type: ${type}\n${frontmatter}\n---\n\n# Body\n` });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.template;
}

function field(definition: TemplateDefinition, name: string): FieldDefinition {
  const found = definition.fields.find((candidate) => candidate.name === name);
  assert.ok(found, `no field ${name}`);
  return found;
}

function shape(frontmatter: string): unknown[] {
  const { type, items, nullable, default: value } = field(template(frontmatter), 'x');
  return [type, items, nullable, value];
}

test('types follow the table of defaults', () => {
  assert.deepEqual(shape('x: ""'), ['string', undefined, false, '']);
  assert.deepEqual(shape('x: "[Who is it?]"'), ['string', undefined, false, '']);
  assert.deepEqual(shape('x: calm'), ['string', undefined, false, 'calm']);
  assert.deepEqual(shape('x: 42'), ['number', undefined, false, 42]);
  assert.deepEqual(shape('x: false'), ['boolean', undefined, false, false]);
  assert.deepEqual(shape('x: null'), ['string', undefined, true, null]);
  assert.deepEqual(shape('x:'), ['string', undefined, true, null]);
  assert.deepEqual(shape('x: []'), ['array', 'string', false, []]);
  assert.deepEqual(shape('x: [a, b]'), ['array', 'string', false, ['a', 'b']]);
  assert.deepEqual(shape('x: [1, 2]'), ['array', 'number', false, [1, 2]]);
  assert.deepEqual(shape('x: [1, a]'), ['array', 'any', false, [1, 'a']]);
  assert.deepEqual(shape('x: { a: 1 }'), ['object', undefined, false, { a: 1 }]);
});

test('a nested mapping has typed keys', () => {
  const { properties } = field(template('x: { a: 1, b: "[How?]", c: { d: true } }'), 'x');
  assert.deepEqual(
    properties?.map(({ name, type }) => [name, type]),
    [
      ['a', 'number'],
      ['b', 'string'],
      ['c', 'object'],
    ],
  );
  assert.equal(properties?.[2]?.properties?.[0]?.type, 'boolean');
});

test('bracketed instructions are kept as placeholders and are no data at any depth', () => {
  const definition = template(
    'one: "[Two\\n  lines]"\nmany: ["[First]", "[Second]"]\nmixed: ["[First]", real]\nnested: { a: "[A]", b: 2 }\nrows: [{ id: "[Id]", kind: "" }]',
  );
  assert.deepEqual(
    [field(definition, 'one').default, field(definition, 'one').placeholder],
    ['', '[Two\n  lines]'],
  );
  assert.deepEqual(
    [field(definition, 'many').default, field(definition, 'many').placeholder],
    [[], '[First]\n[Second]'],
  );
  assert.deepEqual(field(definition, 'mixed').default, ['real']);
  assert.deepEqual(field(definition, 'nested').default, { a: '', b: 2 });
  assert.deepEqual([field(definition, 'rows').items, field(definition, 'rows').default], ['object', []]);
});

test('only a string that is one bracketed whole is a placeholder', () => {
  for (const text of ['[a]', ' [a\nb] ', '[a [b] c]']) assert.equal(isPlaceholder(text), true, text);
  for (const text of [
    '[a] and [b]',
    '[[character:ada]]',
    '[a](url)',
    'a [b]',
    '[]',
    '[a',
    'a]',
    3,
    null,
    ['[a]'],
  ]) {
    assert.equal(isPlaceholder(text), false, String(text));
  }
});

test('metadata keys are never fields', () => {
  const keys = [...METADATA_KEYS].filter((key) => !['entity_type', 'fields', 'field_config'].includes(key));
  const definition = template(`${keys.map((key) => `${key}: text`).join('\n')}\nmood: calm`);
  assert.deepEqual(
    definition.fields.map(({ name }) => name),
    ['mood'],
  );
});

test('description and label speak of the type when they hold text and are fields when they are empty or bracketed', () => {
  const about = template('label: Vessel\ndescription: What sails');
  assert.deepEqual([about.label, about.description, about.fields], ['Vessel', 'What sails', []]);
  const asked = template('description: "[What does it look like?]"\nlabel: ""');
  assert.deepEqual(
    asked.fields.map(({ name }) => name),
    ['description', 'label'],
  );
  assert.deepEqual([asked.label, asked.description], ['Ship', '']);
});

test('layout and category have defaults, and what cannot be used is reported with its line', () => {
  const plain = template('mood: calm', 'star_city');
  assert.deepEqual(
    [plain.folder_name, plain.file_prefix, plain.template_category, plain.template_version],
    ['StarCities', 'STAR_CITY_', 'entity', '2.0'],
  );
  const known = template('template_version: 2.0', 'style_bible');
  assert.deepEqual(
    [known.folder_name, known.file_prefix, known.template_version],
    ['StyleBibles', 'STY_', '2.0'],
  );
  const odd = template(
    'folder_name: ../up\nfile_prefix: a/b\nasset_subfolders: [images, ..]\ntemplate_category: poem',
  );
  assert.deepEqual([odd.folder_name, odd.file_prefix], ['Ships', 'SHIP_']);
  assert.equal(odd.template_category, 'poem');
  assert.deepEqual(
    odd.problems.map(({ line }) => line),
    [2, 6, 3, 4, 5],
  );
});

test('the explicit list wins over inference and keeps the keys that it does not name', () => {
  const definition = template(`speed: 3
crew: [ada]
fields:
  - { name: speed, type: integer, label: Top speed, required: true }
  - { name: rig, type: select, options: [sloop, { value: brig, label: Big brig }], default: sloop }
  - { name: ports, type: "list of strings" }
  - { name: tonnage, type: number }
  - { name: motto, type: poem, default: Onward }
  - { name: status, type: string }
  - { label: nameless }`);
  assert.deepEqual(
    definition.fields.map(({ name, type, default: value }) => [name, type, value]),
    [
      ['speed', 'number', 3],
      ['rig', 'string', 'sloop'],
      ['ports', 'array', []],
      ['tonnage', 'number', null],
      ['motto', 'string', 'Onward'],
      ['crew', 'array', ['ada']],
    ],
  );
  const speed = field(definition, 'speed');
  assert.deepEqual([speed.declared_type, speed.label, speed.required], ['integer', 'Top speed', true]);
  assert.deepEqual(field(definition, 'rig').options, [
    { value: 'sloop', label: 'Sloop' },
    { value: 'brig', label: 'Big brig' },
  ]);
  assert.deepEqual(
    definition.problems.filter(({ field }) => field === undefined).map(({ line }) => line),
    [10, 11, 12],
  );
});

test('a default that does not have the declared type is left out and reported', () => {
  const definition = template('fields:\n  - { name: speed, type: number, default: fast }');
  assert.equal(field(definition, 'speed').default, null);
  assert.match(definition.problems[0]?.message ?? '', /speed.*"fast".*number/);
});

test('a slip in a long key of metadata is told; other fields that look a little like it are not', () => {
  const told = (frontmatter: string): string[] =>
    template(frontmatter).problems.flatMap(({ message }) =>
      message.includes('is read as a field') ? [message] : [],
    );
  const fields = [
    ...[
      'former_name',
      'mother_name',
      'owner_name',
      'code_name',
      'name_prefix',
      'creation_date',
      'hull_color',
    ],
    ...['protection_status', 'associated_spells', 'associated_tales', 'primary_stat', 'entry_type'],
  ];
  assert.deepEqual(told(fields.map((name) => `${name}: ""`).join('\n')), []);
  const roles = 'associated_roles: []\n';
  assert.equal(told(roles).length, 1);
  assert.deepEqual(told(`${roles}field_config: { associated_roles: { widget: tags } }`), []);
  assert.deepEqual(told('flie_prefix: SHP\nfoldername: Ships\nlast_update: ""'), [
    '"flie_prefix" is read as a field (did you mean \'file_prefix\'?)',
    '"foldername" is read as a field (did you mean \'folder_name\'?)',
    '"last_update" is read as a field (did you mean \'last_updated\'?)',
  ]);
});

test('widgets come from field_config, then the name, then the type', () => {
  const definition = template(`hull_color: ""
birth_year: 0
launch_date: ""
portrait: ""
notes: ""
tags: []
captain_id: null
rig: ""
plain: ""
count: 1
armed: true
list: []
map: { a: 1 }
eye_color: ""
field_config:
  captain_id: { reference_type: character }
  rig: { options: [sloop, brig] }
  eye_color: { widget: radio-group, options: [{ label: Sea green, hex: "#2e8b57" }] }`);
  assert.deepEqual(Object.fromEntries(definition.fields.map(({ name, widget }) => [name, widget])), {
    hull_color: 'color',
    birth_year: 'year',
    launch_date: 'date',
    portrait: 'image',
    notes: 'textarea',
    tags: 'tags',
    captain_id: 'entity-selector',
    rig: 'select',
    plain: 'text',
    count: 'number',
    armed: 'toggle',
    list: 'list',
    map: 'object',
    eye_color: 'radio-group',
  });
  assert.equal(field(definition, 'captain_id').reference_type, 'character');
  assert.deepEqual(field(definition, 'eye_color').options, [
    { value: '#2e8b57', label: 'Sea green', hex: '#2e8b57' },
  ]);
});

test('templates that cannot be used are refused with code, place and reason', () => {
  const refuse = (text: string, path = '_Templates/Standard/SHIP_TEMPLATE.md') => {
    const parsed = parseTemplate({ path, text });
    assert.equal(parsed.ok, false);
    return parsed.ok ? undefined : [parsed.problem.code, parsed.problem.line];
  };
  assert.deepEqual(refuse('---\nmood: calm\nentity_type: boat\n---\n'), ['entity_type_mismatch', 3]);
  assert.deepEqual(refuse('---\nentity_type: Ship\n---\n'), ['invalid_type', 2]);
  assert.deepEqual(refuse('---\nentity_type: all\n---\n', '_Templates/Custom/ALL_TEMPLATE.md'), [
    'reserved_type',
    2,
  ]);
  assert.equal(refuse('---\nmood: calm\n---\n')?.[0], 'no_entity_type');
  assert.deepEqual(refuse('---\nentity_type: ship\nmood: [calm\n---\n')?.[0], 'unreadable');
  assert.deepEqual(refuse('no frontmatter')?.[0], 'unreadable');
});

test('a custom template replaces the standard one as a whole', () => {
  const { templates, problems } = resolveTemplates([
    template('speed: 1', 'ship', 'Custom'),
    template('mood: calm', 'ship', 'Standard'),
    template('size: 1', 'ship', 'Core'),
  ]);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    [templates.get('ship')?.source, templates.get('ship')?.fields.map(({ name }) => name)],
    ['custom', ['speed']],
  );
});

test('two templates that claim one type or one folder are reported', () => {
  const again = { ...template('speed: 1'), path: '_Templates/Standard/old/SHIP_TEMPLATE.md' };
  const twice = resolveTemplates([template('speed: 1'), again]);
  assert.equal(twice.problems.length, 1);
  assert.equal(twice.templates.get('ship')?.path, again.path);
  const { templates, problems } = resolveTemplates([
    template('folder_name: ships', 'boat', 'Custom'),
    template('', 'ship'),
  ]);
  assert.deepEqual([...templates.keys()], ['ship']);
  assert.deepEqual(
    problems.map(({ path }) => path),
    ['_Templates/Custom/BOAT_TEMPLATE.md'],
  );
});

test('names of template files and versions', () => {
  assert.equal(templateFileName('style_bible'), 'STYLE_BIBLE_TEMPLATE.md');
  for (const name of ['style_bible', 'STYLE_BIBLE_TEMPLATE', 'STYLE_BIBLE_TEMPLATE.md']) {
    assert.equal(templateTypeOfName(name), 'style_bible');
  }
  assert.deepEqual(['2.0', '2.9', '3', '2.0.4', 'soon'].map(bumpMinorVersion), [
    '2.1',
    '2.10',
    '3.1',
    '2.1.0',
    '2.1',
  ]);
});

test('the shipped templates read without problems and their defaults fit their schemas', () => {
  const folder = new URL('../../../starter/_Templates/Standard/', import.meta.url);
  const files = readdirSync(folder);
  assert.equal(files.length, 16);
  for (const file of files) {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const parsed = parseTemplate({ path: `_Templates/Standard/${file}`, text });
    assert.ok(parsed.ok, file);
    assert.deepEqual(parsed.template.problems, [], file);
    const validate = new Ajv2020({ strict: false }).compile(schemaOf(parsed.template));
    const defaults = Object.fromEntries(
      parsed.template.fields.map(({ name, default: value }) => [name, value]),
    );
    assert.ok(validate(defaults), `${file}: ${JSON.stringify(validate.errors)}`);
    assert.ok(!JSON.stringify(defaults).includes('"['), `${file} keeps a placeholder`);
  }
});

test('schemas carry types, choices and hints, and admit unknown keys', () => {
  const schema = schemaOf(
    template(`captains: null
fields:
  - { name: rig, type: select, options: [sloop, brig], default: sloop }
  - { name: guns, type: integer, default: 4, required: true }
field_config:
  captains: { widget: entity-selector, reference_type: character, max_selections: 3 }
  guns: { widget: range, min: 0, max: 90, step: 2 }`),
  );
  const validate = new Ajv2020({ strict: false }).compile(schema);
  for (const good of [
    { guns: 2 },
    { guns: 2, rig: '', captains: null },
    { guns: 2, captains: ['a'], gone: 1 },
  ]) {
    assert.ok(validate(good), JSON.stringify(good));
  }
  for (const bad of [{}, { guns: 2.5 }, { guns: 2, rig: 'raft' }, { guns: 2, captains: [1] }]) {
    assert.ok(!validate(bad), JSON.stringify(bad));
  }
  const { guns } = schema.properties as Record<string, Record<string, unknown>>;
  assert.deepEqual(
    [guns?.['x-widget'], guns?.['x-min'], guns?.['x-max'], guns?.['x-step']],
    ['range', 0, 90, 2],
  );
});

test('any default survives as typed data of its own field', () => {
  const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: true } as fc.JsonSharedConstraints);
  fc.assert(
    fc.property(value, (given) => {
      const text = JSON.stringify(given);
      fc.pre(!/__proto__|constructor|prototype/.test(text));
      const definition = template(`x: ${text}`);
      const validate = new Ajv2020({ strict: false }).compile(schemaOf(definition));
      assert.ok(validate({ x: field(definition, 'x').default }), text);
    }),
    { numRuns: 300 },
  );
});
