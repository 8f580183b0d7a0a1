import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  choiceAt,
  importGroups,
  inheritedChoice,
  leftOvers,
  otherFiles,
  type ReportedNote,
  untypedPlaces,
} from './import-rows.ts';

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
      ...noteAt('World/Coast.md'),
      action: 'refuse' as const,
      kept_aside: [1],
      refused: [2],
      links: { unresolved: [1] },
    },
  ],
  untyped: [
    { place: 'People/Loose.md', code: 'no_type' as const, proposed: { to: 'item' } },
    { place: 'People/Out.md', code: 'left_out' as const },
  ],
  refused: [
    { place: 'People/Loose.md', reason: 'nothing says' },
    { place: 'picture.png', reason: 'not shown' },
  ],
  totals: { refused: 7 },
};

test('notes stand in groups by folder or table, in the order of their names, with those that need a type', () => {
  const groups = importGroups(REPORT, { isShown: () => true, first: new Set() });
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
      ['World', [['World/Coast.md', 'character']]],
    ],
  );
});

test('the notes that need a type come first, with their folders', () => {
  const first = new Set(untypedPlaces(REPORT));
  const groups = importGroups(REPORT, { isShown: () => true, first });
  assert.deepEqual(
    groups.map(({ folder, rows }) => [folder, rows[0]?.place]),
    [
      ['People', 'People/Loose.md'],
      ['', 'Top.md'],
      ['a/people.csv', 'a/people.csv:3'],
      ['World', 'World/Coast.md'],
    ],
  );
});

test('a note that is not taken is left over, one that was left out is not', () => {
  const groups = importGroups(REPORT, { isShown: (row) => leftOvers(row) > 0, first: new Set() });
  assert.deepEqual(
    groups.flatMap(({ rows }) => rows.map((row) => [row.place, row.maybe, leftOvers(row)])),
    [
      ['People/Loose.md', 'item', 1],
      ['World/Coast.md', null, 4],
    ],
  );
});

test('files that are no notes stand apart, and those that are not named are counted', () => {
  assert.deepEqual(otherFiles(REPORT), { files: [{ place: 'picture.png', reason: 'not shown' }], more: 4 });
});

test('a note without a choice of its own has that of the nearest folder above it', () => {
  const types = { Places: 'faction', 'Places/Old': null, 'Places/Old/people.csv': 'item', Cut: undefined };
  assert.equal(choiceAt(types, 'Places/Old'), null);
  assert.equal(choiceAt(types, 'constructor'), undefined);
  for (const [place, choice] of [
    ['Places/Inn.md', 'faction'],
    ['Places/Old/Inn.md', null],
    ['Places/Old', 'faction'],
    ['Places/Old/people.csv:3', 'item'],
    ['Cut/Inn.md', undefined],
    ['toString/Inn.md', undefined],
  ] as const)
    assert.equal(inheritedChoice(types, place), choice, place);
});
