import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proseIn } from './prose.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    want: { type: 'string', 'x-widget': 'text' },
    rank: { type: 'string', enum: ['Low born', 'High born'] },
    home: { type: 'string', 'x-reference-type': 'location' },
    look: { type: 'object', properties: { hair: { type: 'string' }, eyes: { 'x-widget': 'color-palette' } } },
    notes: { type: 'array', items: { type: 'string' } },
  },
};

test('texts are read, and what was chosen is not', () => {
  const fields = {
    want: 'A bell',
    rank: 'Low born',
    home: 'salt gate',
    look: { hair: 'Grey', eyes: '#aabbcc' },
    notes: ['First', 'Second'],
    birth_year: 1187,
  };
  assert.deepEqual(proseIn(fields, SCHEMA), ['A bell', 'Grey', 'First', 'Second']);
});

test('beyond the template, what has several words is a text', () => {
  assert.deepEqual(proseIn({ extra: 'two words', id: 'mira_vale' }, SCHEMA), ['two words']);
  assert.deepEqual(proseIn({ extra: 'two words' }, null), ['two words']);
});

test('data without end is left', () => {
  let deep: unknown = 'the end';
  for (let depth = 0; depth < 100; depth += 1) deep = [deep];
  assert.deepEqual(proseIn(deep, null), []);
});
