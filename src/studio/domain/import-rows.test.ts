import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importGroups, leftOvers, type ReportedNote, untypedPlaces } from './import-rows.ts';

const noteAt = (place: string): ReportedNote => ({
  place,
  reason: null,
  action: 'create',
  name: place,
  entity_type: 'character',
  kept_aside: [],
  refused: [],
  links: { unresolved: [] },
});

const REPORT = {
  notes: [
    ...['People/Mira 10.md', 'People/Mira 2.md', 'Top.md', 'a/people.csv:3'].map(noteAt),
    {
      ...noteAt('World.json: cast.mira'),
      action: 'refuse' as const,
      kept_aside: [1],
      links: { unresolved: [1] },
    },
  ],
  refused: [
    { place: 'People/Loose.md', reason: '', code: 'no_type' as const, proposed: { to: 'item' } },
    { place: 'People/Out.md', reason: '', code: 'left_out' as const },
    { place: 'picture.png', reason: 'not shown' },
  ],
};

test('notes stand in groups by folder or table, in the order of their names, with those that need a type', () => {
  const { groups, others } = importGroups(REPORT, { isShown: () => true, first: new Set() });
  assert.deepEqual(
    groups.map(({ folder, rows }) => [folder, rows.map(({ place, type }) => [place, type])]),
    [
      ['', [['Top.md', 'character']]],
      ['a/people.csv', [['a/people.csv:3', 'character']]],
      [
        'People',
        [
          ['People/Loose.md', null],
          ['People/Mira 2.md', 'character'],
          ['People/Mira 10.md', 'character'],
          ['People/Out.md', null],
        ],
      ],
      ['World.json', [['World.json: cast.mira', 'character']]],
    ],
  );
  assert.deepEqual(others, [{ place: 'picture.png', reason: 'not shown' }]);
});

test('the notes that need a type come first, with their folders', () => {
  const first = new Set(untypedPlaces(REPORT));
  const { groups } = importGroups(REPORT, { isShown: () => true, first });
  assert.deepEqual(
    groups.map(({ folder, rows }) => [folder, rows[0]?.place]),
    [
      ['People', 'People/Loose.md'],
      ['', 'Top.md'],
      ['a/people.csv', 'a/people.csv:3'],
      ['World.json', 'World.json: cast.mira'],
    ],
  );
});

test('a note that is not taken is left over, one that was left out is not', () => {
  const { groups } = importGroups(REPORT, {
    isShown: (row) => leftOvers(row) > 0,
    first: new Set(),
  });
  assert.deepEqual(
    groups.flatMap(({ rows }) => rows.map((row) => [row.place, row.maybe, leftOvers(row)])),
    [
      ['People/Loose.md', 'item', 1],
      ['World.json: cast.mira', null, 3],
    ],
  );
});
