import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldAt, labelOfPath, wordsOfValue } from './field-words.ts';
import { fieldsOfSchema } from './form-field.ts';

const fields = fieldsOfSchema([], {
  type: 'object',
  properties: {
    death_year: { type: 'integer', title: 'Dies in' },
    arc: { type: 'object', title: 'Arc', properties: { ending: { type: 'string', title: 'How it ends' } } },
    mood: { type: 'string', title: 'Mood', enum: ['grim_dark', 'light'] },
  },
});

test('a path has the labels of its fields, and of places in lists none', () => {
  assert.equal(labelOfPath(fields, 'death_year'), 'Dies in');
  assert.equal(labelOfPath(fields, 'arc.ending'), 'Arc › How it ends');
  assert.equal(labelOfPath(fields, 'old_friends.3.since'), 'Old friends › Since');
  assert.equal(labelOfPath(fields, String.raw`a\.b`), 'A.b');
});

test('the field of a path is found within objects', () => {
  assert.equal(fieldAt(fields, 'arc.ending')?.label, 'How it ends');
  assert.equal(fieldAt(fields, 'arc.nothing'), undefined);
  assert.equal(fieldAt(fields, ''), undefined);
});

test('values are words', () => {
  assert.equal(wordsOfValue(null), '');
  assert.equal(wordsOfValue(0), '0');
  assert.equal(wordsOfValue(['a', null, 'b']), 'a, b');
  assert.equal(wordsOfValue('grim_dark', fieldAt(fields, 'mood')), 'Grim dark');
  assert.equal(wordsOfValue({ ending: 'Gone', left_by: '' }, fieldAt(fields, 'arc')), 'How it ends: Gone');
});
