import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { createDocument, editDocument, readDocument } from '../frontmatter/index.ts';
import { parseTemplate, type TemplateDefinition } from '../template/index.ts';
import {
  canonicalContent,
  checkFieldsForWrite,
  type EntityContent,
  entityDataEdit,
  entityFromDocument,
  isEntityId,
  nameFromId,
  newDocumentData,
} from './index.ts';

function templateOf(frontmatter: string): TemplateDefinition {
  const text = `---\nentity_type: ship\n${frontmatter}\n---\n`;
  const parsed = parseTemplate({ path: '_Templates/Standard/SHIP_TEMPLATE.md', text });
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.template;
}

const SHIP = templateOf(`name: "[Ship]"
mood: calm
speed: 3
armed: false
crew: []
captain: null
motto: "[What is painted on the stern?]"
hull: { material: oak, size: { length: 10 } }
fields:
  - { name: rig, type: select, options: [sloop, brig], default: sloop }`);

function read(frontmatter: string, folderId = 'sea_hawk', template = SHIP): EntityContent {
  const document = readDocument(`---\n${frontmatter}\n---\n\nBody\n`);
  assert.ok(document.ok, JSON.stringify(document));
  return entityFromDocument(template, { ...document, folderId });
}

function complaints(content: EntityContent): unknown[] {
  return content.validation_errors.map(({ field, code, line }) => [field, code, line]);
}

test('attributes stand beside the fields, and defaults fill what the file lacks', () => {
  const ship = read(
    'id: sea_hawk\nentity_type: ship\nname: Sea Hawk\nstatus: draft\nprimary_image: images/a.png\ntemplate_version: 2.0\nspeed: 9\nhull: { material: tar }\nflag: black\nproduction_status: { general: concept }',
  );
  assert.deepEqual(ship, {
    entity_type: 'ship',
    entity_id: 'sea_hawk',
    name: 'Sea Hawk',
    status: 'draft',
    production_status: { general: 'concept' },
    primary_asset: 'images/a.png',
    template_version: '2.0',
    own_fields: { speed: 9, hull: { material: 'tar' }, flag: 'black' },
    fields: {
      rig: 'sloop',
      mood: 'calm',
      speed: 9,
      armed: false,
      crew: [],
      captain: null,
      motto: '',
      hull: { material: 'tar', size: { length: 10 } },
      flag: 'black',
    },
    markdown_body: 'Body\n',
    validation_errors: [],
    is_valid: true,
  });
  assert.deepEqual(Object.keys(ship.fields).at(-1), 'flag');
});

test('the name comes from name, else title, else the id', () => {
  assert.equal(read('name: A\ntitle: B').name, 'A');
  assert.equal(read('name: "[Ship]"\ntitle: B').name, 'B');
  assert.equal(read('title: ""').name, 'Sea Hawk');
  assert.equal(nameFromId('7th_of_nine'), '7th Of Nine');
});

test("a description in an entity's file is one of its fields", () => {
  assert.deepEqual(read('description: Long').own_fields, { description: 'Long' });
});

test('the id is the one in the file when it can be, else the folder', () => {
  assert.equal(read('id: other').entity_id, 'other');
  assert.equal(read('id: 7', '007').entity_id, '007');
  const odd = read('mood: calm\nid: Sea Hawk');
  assert.equal(odd.entity_id, 'sea_hawk');
  assert.deepEqual(complaints(odd), [['id', 'invalid_id', 3]]);
  const folder = read('mood: calm', 'Sea Hawk');
  assert.equal(folder.entity_id, 'Sea Hawk');
  assert.deepEqual(complaints(folder), [[null, 'invalid_id', undefined]]);
});

test('wrong values are kept and reported with their line', () => {
  const ship = read(
    'status: sunk\nspeed: fast\nmood: 3\ncrew: [ada, 7]\nhull:\n  size:\n    length: long\nrig: raft\nentity_type: boat\narmed: null',
  );
  assert.equal(ship.status, 'sunk');
  assert.equal(ship.fields.speed, 'fast');
  assert.equal(ship.is_valid, false);
  assert.deepEqual(complaints(ship).sort(), [
    ['crew.1', 'wrong_type', 5],
    ['entity_type', 'entity_type_mismatch', 10],
    ['hull.size.length', 'wrong_type', 8],
    ['mood', 'wrong_type', 4],
    ['rig', 'not_an_option', 9],
    ['speed', 'wrong_type', 3],
    ['status', 'unknown_status', 2],
  ]);
});

test('a required field that is empty is reported, a default satisfies it', () => {
  const template = templateOf(
    'fields:\n  - { name: port, type: string, required: true }\n  - { name: flag, type: string, required: true, default: black }',
  );
  assert.deepEqual(complaints(read('name: A', 'a', template)), [['port', 'required', 2]]);
});

test('fields named like members of objects are ordinary', () => {
  const template = templateOf('toString: a\nvalueOf: 1');
  assert.deepEqual(read('name: A', 'a', template).fields, { toString: 'a', valueOf: 1 });
});

test('writes are checked strictly: types, options, reserved names', () => {
  const fine = {
    speed: 2,
    mood: null,
    crew: ['a'],
    rig: 'brig',
    hull: { extra: [1] },
    anything: { at: 'all' },
  };
  assert.deepEqual(checkFieldsForWrite(SHIP, fine), []);
  const problems = checkFieldsForWrite(SHIP, {
    speed: '2',
    crew: 'ada',
    armed: 'yes',
    rig: 'raft',
    hull: { size: { length: '1' } },
    status: 'draft',
    folder_name: 'X',
  });
  assert.deepEqual(
    problems.map(({ field }) => field),
    ['speed', 'crew', 'armed', 'rig', 'hull.size.length', 'status', 'folder_name'],
  );
  assert.match(problems[0]?.message ?? '', /must be a number, is "2"/);
});

test('a new file carries metadata, given fields and real defaults in order, and no placeholders', () => {
  const fields = { flag: 'black', speed: 9 };
  const entity = { entity_id: 'sea_hawk', name: 'Sea Hawk', status: 'active', fields, today: '2026-03-01' };
  const data = newDocumentData(SHIP, entity);
  assert.deepEqual(Object.keys(data).slice(0, 7), [
    'template_version',
    'id',
    'entity_type',
    'created_date',
    'last_updated',
    'status',
    'name',
  ]);
  assert.deepEqual(Object.keys(data).slice(7), [
    'rig',
    'mood',
    'speed',
    'armed',
    'crew',
    'captain',
    'motto',
    'hull',
    'flag',
  ]);
  assert.deepEqual([data.speed, data.motto, data.captain], [9, '', null]);
  const document = readDocument(createDocument(data, '# Body\n'));
  assert.ok(document.ok);
  const back = entityFromDocument(SHIP, { ...document, folderId: 'sea_hawk' });
  assert.deepEqual([back.entity_id, back.name, back.validation_errors], ['sea_hawk', 'Sea Hawk', []]);
});

test('a template with a title and no name shows its entities by title', () => {
  const template = templateOf('title: "[Title]"\nmood: calm');
  const entity = { entity_id: 'a', name: 'Storm', status: 'active', today: '2026-03-01' };
  assert.deepEqual(
    [newDocumentData(template, { ...entity, fields: {} })].map(({ name, title }) => [name, title]),
    [[undefined, 'Storm']],
  );
  assert.deepEqual(
    [newDocumentData(template, { ...entity, fields: { title: 'Captain' } })].map(({ name, title }) => [
      name,
      title,
    ]),
    [['Storm', 'Captain']],
  );
});

test('an edit sets only what differs, under the keys the file uses', () => {
  const today = '2026-03-01';
  const data = {
    id: 'a',
    title: 'Old',
    primary_image: 'a.png',
    last_updated: '2025-01-01',
    speed: 3,
    motto: 'x',
  };
  assert.deepEqual(entityDataEdit(SHIP, data, { fields: { speed: 3 }, name: 'Old', today }), {
    set: {},
    after: {},
  });
  assert.deepEqual(entityDataEdit(SHIP, data, { name: 'New', primary_asset: 'b.png', today }).set, {
    title: 'New',
    primary_image: 'b.png',
    last_updated: today,
  });
  assert.deepEqual(entityDataEdit(SHIP, data, { name: 'New', fields: { title: 'Captain' }, today }).set, {
    title: 'Captain',
    name: 'New',
    last_updated: today,
  });
  assert.deepEqual(entityDataEdit(SHIP, { id: 'a' }, { primary_asset: null, status: 'draft', today }), {
    set: { status: 'draft' },
    after: { status: 'id' },
  });
});

test("new keys stand in the template's order", () => {
  const text = '---\nid: a\nname: A\nspeed: 3\nmotto: x # painted\n---\n\nBody\n';
  const document = readDocument(text);
  assert.ok(document.ok);
  const edit = entityDataEdit(SHIP, document.data, {
    fields: { flag: 'red', captain: 'ada', crew: ['bo'], mood: 'wild' },
    today: '2026-03-01',
  });
  const keys = /^(\w+):/gm;
  const written = [...editDocument(text, edit).matchAll(keys)].map(([, key]) => key);
  assert.deepEqual(written, ['id', 'name', 'mood', 'speed', 'crew', 'captain', 'motto', 'flag']);
});

test('ids', () => {
  for (const id of ['a', '7th', 'a_b', 'a'.repeat(100)]) assert.equal(isEntityId(id), true, id);
  for (const id of ['', 'A', '_a', 'a-b', 'a/b', '..', 'a b', 'a'.repeat(101), 'é', 'schema', 'a\n']) {
    assert.equal(isEntityId(id), false, id);
  }
});

test('canonical content does not depend on the order of keys and never throws', () => {
  assert.equal(
    canonicalContent({ b: 1, a: { d: 1, c: 2 } }, 'x'),
    canonicalContent({ a: { c: 2, d: 1 }, b: 1 }, 'x'),
  );
  assert.equal(
    canonicalContent({ a: Number.NaN, b: '\ud800' }, ''),
    '{"fields":{"a":null,"b":"\ufffd"},"markdown_body":""}',
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string({ unit: 'binary' }), (fields, body) => {
      const text = canonicalContent(fields, body);
      assert.deepEqual(
        JSON.parse(text),
        JSON.parse(JSON.stringify({ fields, markdown_body: body.toWellFormed() })),
      );
    }),
  );
});

test('what was patched is what is read back', () => {
  const patch = fc.record(
    {
      mood: fc.string(),
      speed: fc.integer(),
      armed: fc.boolean(),
      crew: fc.array(fc.string(), { maxLength: 3 }),
      extra: fc.oneof(fc.string(), fc.constant(null)),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(patch, patch, (first, second) => {
      const entity = { entity_id: 'a', name: 'A', status: 'active', fields: first, today: '2026-03-01' };
      const data = newDocumentData(SHIP, entity);
      const { set } = entityDataEdit(SHIP, data, { fields: second, today: '2026-03-02' });
      const after = entityFromDocument(SHIP, { data: { ...data, ...set }, body: '', folderId: 'a' });
      for (const [key, value] of Object.entries({ ...first, ...second }))
        assert.deepEqual(after.fields[key], value);
      assert.deepEqual(checkFieldsForWrite(SHIP, after.own_fields), []);
    }),
  );
});
