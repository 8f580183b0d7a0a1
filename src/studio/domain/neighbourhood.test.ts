import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_NEIGHBOURS, neighbourhoodOf } from './neighbourhood.ts';

const node = (id: string, degree: number) => ({ entity_type: 'event', entity_id: id, name: id, degree });
const nodes = Array.from({ length: 40 }, (_, index) => node(`e${index}`, index));
const centre = 'event:e5';

test('the thirty neighbours with the most references stand around the centre, which is none of them', () => {
  const { nodes: placed, omitted } = neighbourhoodOf(centre, nodes, []);
  assert.equal(placed.length, MOST_NEIGHBOURS);
  assert.equal(omitted, 9);
  assert.ok(placed.every(({ entity_id, degree }) => entity_id !== 'e5' && degree >= 10));
});

test('names beside the nodes never touch, however many there are', () => {
  for (let count = 1; count <= MOST_NEIGHBOURS; count++) {
    const { nodes: placed } = neighbourhoodOf('event:x', nodes.slice(0, count), []);
    for (const side of ['start', 'end'] as const) {
      const rows = placed.filter((one) => one.side === side).map(({ y }) => y);
      for (const [index, y] of rows.entries())
        if (index > 0) assert.ok(y - (rows[index - 1] ?? 0) >= 16, `${count} nodes: ${rows}`);
    }
  }
});

test('two entities have one line, and none leads to what is not shown', () => {
  const { lines } = neighbourhoodOf(
    centre,
    [node('e5', 3), node('a', 1), node('b', 1)],
    [
      { from: centre, to: 'event:a' },
      { from: 'event:a', to: centre },
      { from: 'event:a', to: 'event:b' },
      { from: centre, to: centre },
      { from: centre, to: 'event:elsewhere' },
    ],
  );
  assert.deepEqual(
    lines.map(({ key, isToCentre }) => [key, isToCentre]),
    [
      ['event:a event:e5', true],
      ['event:a event:b', false],
    ],
  );
});
