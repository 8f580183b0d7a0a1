import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelOf, layoutOf, shortened } from './layout.ts';
import type { MapNode, Relations } from './relations.ts';

const relations = (first: number, second = 0): Relations => {
  const node = (hop: number, at: number): MapNode => {
    const id = `${hop}-${at}`;
    return { key: `item:${id}`, type: 'item', id, name: id, hop };
  };
  const ring = (hop: number, count: number) => Array.from({ length: count }, (_, at) => node(hop, at));
  return { centre: 'item:0-0', links: [], nodes: [node(0, 0), ...ring(1, first), ...ring(2, second)] };
};

test('no two of 60 entries are nearer than their labels are high, and all are within reach', () => {
  for (const [first, second] of [
    [59, 0],
    [10, 49],
    [30, 29],
    [1, 58],
  ] as const) {
    const { places, reach } = layoutOf(relations(first, second));
    assert.equal(places.length, 60);
    for (const [at, one] of places.entries()) {
      assert.ok(Math.hypot(one.x, one.y) < reach);
      for (const other of places.slice(at + 1))
        assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > 16, `${one.node.id} and ${other.node.id}`);
    }
  }
});

test('an entry alone is in the middle', () => {
  const { places } = layoutOf(relations(0));
  assert.deepEqual([places[0]?.x, Math.abs(places[0]?.y ?? 1)], [0, 0]);
});

test('labels stand outside and can be read without turning the head over', () => {
  for (const count of [1, 4, 9, 10, 40])
    for (const place of layoutOf(relations(count)).places) {
      const { turn, anchor } = labelOf(place);
      assert.ok(Math.abs(((turn + 540) % 360) - 180) <= 90 + 1e-6, `${count}: ${turn}`);
      if (place.x > 60) assert.equal(anchor, 'start');
      if (place.x < -60) assert.equal(anchor, 'end');
    }
});

test('long names are cut', () => {
  assert.equal(shortened('The Bell House'), 'The Bell House');
  assert.equal(shortened('The long winter of the northern towers'), 'The long winter of th…');
});
