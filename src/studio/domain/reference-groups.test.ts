import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReferences, type Reference, referenceGroups } from './reference-groups.ts';

const entity = (entity_type: string, entity_id: string) => ({ entity_type, entity_id, name: entity_id });
const reference = (field: string, from: string, to: string | null): Reference => ({
  field,
  from: entity('event', from),
  to_type: null,
  to_id: to ?? 'nobody',
  state: to === null ? 'missing' : 'found',
  to: to === null ? null : entity('character', to),
  candidates: [],
});

const references = [
  reference('participants.0', 'flood', 'mira'),
  reference('participants.12', 'market', 'mira'),
  reference('markdown_body', 'flood', 'mira'),
  reference('markdown_body', 'flood', 'mira'),
  reference('scenes.2.cast.1', 'flood', 'ilse'),
  reference('owner', 'flood', null),
  reference('owner', 'flood', null),
];

test('references are grouped by the type at their other end and the field, whichever its place in a list', () => {
  const shown = (direction: 'in' | 'out') =>
    referenceGroups(references, direction).map(
      ({ type, field, entities }) => `${type} ${field}: ${entities.map(({ entity_id }) => entity_id)}`,
    );
  assert.deepEqual(shown('in'), [
    'event markdown_body: flood',
    'event owner: flood',
    'event participants: flood,market',
    'event scenes.cast: flood',
  ]);
  assert.deepEqual(shown('out'), [
    'character markdown_body: mira',
    'character participants: mira',
    'character scenes.cast: ilse',
  ]);
});

test('what leads nowhere is named once', () => {
  assert.deepEqual(openReferences(references), [references[5]]);
});
