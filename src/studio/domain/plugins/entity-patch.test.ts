import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOfSchema } from '../form-field.ts';
import { partsOfPatch } from './entity-patch.ts';

const fields = fieldsOfSchema([], {
  properties: {
    want: { type: 'string' },
    birth_year: { type: ['number', 'null'] },
    tags: { type: 'array' },
    notes: { type: 'object' },
    arc: { type: 'object', properties: { beginning: { type: 'string' }, end: { type: 'string' } } },
  },
});

test('a patch becomes parts of a draft: typed maps key by key, others whole', () => {
  const { parts, refused } = partsOfPatch(
    {
      name: 'Mira',
      markdown_body: 'Text',
      want: 'a bell',
      birth_year: null,
      tags: ['a'],
      notes: { any: { thing: 1 } },
      arc: { beginning: 'the sea' },
      'un.known': { kept: true },
      production_status: { general: 'complete' },
    },
    fields,
  );
  assert.deepEqual(refused, []);
  assert.deepEqual(Object.fromEntries(parts.map(({ path, value }) => [path, value])), {
    name: 'Mira',
    markdown_body: 'Text',
    'fields.want': 'a bell',
    'fields.birth_year': null,
    'fields.tags': ['a'],
    'fields.notes': { any: { thing: 1 } },
    'fields.arc.beginning': 'the sea',
    'fields.un\\.known': { kept: true },
    'production_status.general': 'complete',
  });
});

test('what an entity is, and values that a field cannot have, are refused by name', () => {
  const { parts, refused } = partsOfPatch(
    {
      id: 'other',
      entity_type: 'item',
      version: 9,
      name: ' ',
      status: 'excellent',
      markdown_body: 7,
      want: { a: 1 },
      birth_year: 'long ago',
      tags: 'a',
      arc: { beginning: 4, end: 'home' },
      production_status: 'complete',
    },
    fields,
  );
  assert.deepEqual(parts, [{ path: 'fields.arc.end', value: 'home' }]);
  assert.deepEqual(refused, [
    'id',
    'entity_type',
    'version',
    'name',
    'status',
    'markdown_body',
    'want',
    'birth_year',
    'tags',
    'arc.beginning',
    'production_status',
  ]);
});
