import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../kit/host.ts';
import { fieldName, linksOf, mainLinks, relationsOf, typesIn } from './relations.ts';

const node = (key: string) => {
  const [entity_type = '', entity_id = ''] = key.split(':');
  return { entity_type, entity_id, name: entity_id.toUpperCase(), status: 'active', degree: 1 };
};
const edge = (from: string, to: string, field = 'markdown_body') => ({
  from,
  to,
  field,
  kind: 'field' as const,
});

const GRAPH: Graph = {
  nodes: ['character:tobin', 'character:mira', 'item:bell', 'location:quay', 'event:flood'].map(node),
  edges: [
    edge('character:mira', 'location:quay', 'home'),
    edge('character:mira', 'location:quay', 'births.0.place'),
    edge('item:bell', 'character:mira'),
    edge('item:bell', 'character:mira'),
    edge('event:flood', 'item:bell'),
    edge('character:tobin', 'location:quay'),
    edge('character:mira', 'character:mira', 'self'),
    edge('character:mira', 'item:lost'),
  ],
  truncated: false,
};
const ALL = { hidden: new Set<string>(), depth: 2 };
const keysOf = (more: Partial<typeof ALL>) =>
  relationsOf(GRAPH, 'character:mira', { ...ALL, ...more }).nodes.map(({ key, hop }) => `${hop} ${key}`);

test('entries stand by their steps, types and names, in whichever order they came', () => {
  const expected = [
    '0 character:mira',
    '1 item:bell',
    '1 location:quay',
    '2 character:tobin',
    '2 event:flood',
  ];
  assert.deepEqual(keysOf({}), expected);
  const turned = { ...GRAPH, nodes: GRAPH.nodes.toReversed(), edges: GRAPH.edges.toReversed() };
  assert.deepEqual(
    relationsOf(turned, 'character:mira', ALL).nodes.map(({ key, hop }) => `${hop} ${key}`),
    expected,
  );
});

test('references between two entries are one link, and one to itself or to what is not there is none', () => {
  const relations = relationsOf(GRAPH, 'character:mira', ALL);
  assert.deepEqual(linksOf(relations, 'character:mira'), [
    { from: 'character:mira', to: 'location:quay', fields: ['home', 'place'] },
    { from: 'item:bell', to: 'character:mira', fields: ['markdown_body'] },
  ]);
});

test('what is reached over a hidden type alone is hidden too, and the middle never is', () => {
  assert.deepEqual(keysOf({ hidden: new Set(['item']) }), [
    '0 character:mira',
    '1 location:quay',
    '2 character:tobin',
  ]);
  assert.deepEqual(keysOf({ hidden: new Set(['character', 'item', 'location']) }), ['0 character:mira']);
  assert.deepEqual(keysOf({ depth: 1 }), ['0 character:mira', '1 item:bell', '1 location:quay']);
});

test('types are counted without the middle', () => {
  const { nodes } = relationsOf(GRAPH, 'character:mira', ALL);
  assert.deepEqual(typesIn(nodes, 'character:mira'), [
    ['character', 1],
    ['event', 1],
    ['item', 1],
    ['location', 1],
  ]);
});

test('the name of a field is the last in its path', () => {
  assert.equal(fieldName('allies.2.who'), 'who');
  assert.equal(fieldName('allies[2]'), 'allies');
  assert.equal(fieldName('home'), 'home');
});

test('the main links join every entry with the middle, once', () => {
  const more = [edge('character:tobin', 'item:bell'), edge('event:flood', 'character:tobin')];
  const relations = relationsOf({ ...GRAPH, edges: [...GRAPH.edges, ...more] }, 'character:mira', ALL);
  assert.deepEqual([...mainLinks(relations)].map(({ from, to }) => `${from} ${to}`).sort(), [
    'character:mira location:quay',
    'character:tobin location:quay',
    'event:flood item:bell',
    'item:bell character:mira',
  ]);
});
