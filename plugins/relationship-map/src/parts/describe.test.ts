import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentencesOf } from './describe.ts';
import type { MapNode } from './relations.ts';
import { texts } from './texts.ts';

const node = (type: string, id: string, name: string, hop: number): MapNode => ({
  key: `${type}:${id}`,
  type,
  id,
  name,
  hop,
});

test('a relation is said as it is read', () => {
  const [mira, house] = [node('character', 'mira', 'Mira', 0), node('location', 'house', 'Bell House', 1)];
  const relations = {
    centre: mira.key,
    nodes: [mira, house],
    links: [
      { from: mira.key, to: house.key, fields: ['birth_place', 'markdown_body'] },
      { from: house.key, to: mira.key, fields: ['owner'] },
    ],
  };
  assert.deepEqual(sentencesOf(relations, house, texts.en), [
    'Mira → Birth place, mentions → Bell House',
    'Bell House → Owner → Mira',
  ]);
  assert.match(sentencesOf(relations, house, texts.de)[0] ?? '', /erwähnt/);
});
