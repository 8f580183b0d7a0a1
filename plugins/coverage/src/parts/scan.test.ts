import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Calls } from '../../../kit/host.ts';
import { fakeCalls } from '../../../kit/testing/fake-calls.ts';
import { fakeEntity } from '../../../kit/testing/fake-entity.ts';
import { type Progress, scan } from './scan.ts';
import { filledShare, heatColumns, MOST_RANKED } from './tally.ts';

type Entity = Calls['entities.get'][1];

const SCHEMA = {
  required: ['want'],
  properties: {
    want: { type: 'string', title: 'Want', 'x-order': 0 },
    home: { title: 'Home', 'x-order': 1 },
  },
};

const entity = (entity_type: string, at: number): Entity =>
  fakeEntity(`e${String(at).padStart(5, '0')}`, {
    entity_type,
    name: `Entry ${at}`,
    fields: { want: at % 2 === 0 ? 'A bell' : '', home: '' },
    markdown_body: 'word '.repeat(at % 1_000),
  });

/** A world with so many entries of each type. */
function world(counts: Readonly<Record<string, number>>) {
  let pages = 0;
  const call = fakeCalls({
    'types.list': () => ({
      entity_types: Object.keys(counts).map((type) => ({
        entity_type: type,
        label: type,
        folder_name: `${type}s`,
      })),
    }),
    'types.schema': () => SCHEMA,
    'entities.list': ({ entity_type, limit = 50, offset = 0 }) => {
      pages += 1;
      const total = counts[entity_type] ?? 0;
      const length = Math.max(0, Math.min(limit, total - offset));
      return {
        entities: Array.from({ length }, (_, at) => entity(entity_type, offset + at)),
        total,
        limit,
        offset,
      };
    },
  });
  return { call, pages: () => pages };
}

const options = (
  stop = new AbortController().signal,
  onProgress: (progress: Progress) => void = () => undefined,
) => ({
  wordsPerMinute: 200,
  now: new Date('2026-11-28T12:00:00Z'),
  stop,
  onProgress,
});

test('10,000 entries are counted, and the lists stay short', async () => {
  const { call, pages } = world({ character: 9_000, item: 1_000, event: 0 });
  const heard: Progress[] = [];
  const result = await scan(
    call,
    options(undefined, (progress) => heard.push(progress)),
  );
  assert.deepEqual(
    result.types.map(({ label, read, total }) => [label, read, total]),
    [
      ['characters', 9_000, 9_000],
      ['items', 1_000, 1_000],
      ['events', 0, 0],
    ],
  );
  assert.equal(pages(), 51);
  assert.equal(heard.length, 51);
  assert.equal(result.isWhole, true);
  assert.deepEqual([result.longest.length, result.emptiest.length], [MOST_RANKED, MOST_RANKED]);
  assert.deepEqual([result.longest[0]?.words, result.longest[0]?.id], [1_000, 'e00998']);
  assert.deepEqual(
    [result.emptiest[0]?.words, result.emptiest[0]?.filled, result.emptiest[0]?.fields],
    [1, 1, 3],
  );
  const [characters] = result.types;
  assert.ok(characters);
  assert.equal(filledShare(characters, 'required'), 0.5);
  assert.equal(filledShare(characters, 'all'), 0.25);
  assert.equal(characters.words, 9 * 499_500 + 4_500 * 2);
  assert.ok(Math.abs(characters.minutes - characters.words / 200) < 1e-6);
  assert.equal(characters.withText, 9_000 - 9);
});

test('a scan that is stopped has what was read until then', async () => {
  const stop = new AbortController();
  const { call, pages } = world({ character: 1_000, item: 1_000 });
  const result = await scan(
    call,
    options(stop.signal, ({ read }) => read >= 400 && stop.abort()),
  );
  assert.equal(pages(), 2);
  assert.deepEqual([result.isWhole, result.types.length, result.types[0]?.read], [false, 1, 400]);
});

test('a type without fields has no share', async () => {
  const { types } = await scan(world({ character: 0 }).call, options());
  const [none] = types;
  assert.ok(none);
  assert.equal(filledShare(none, 'all'), null);
});

test('the fields that most types have come first', () => {
  const field = (name: string) => ({ name, label: name, isRequired: false, filled: 0 });
  const tally = { type: '', label: '', total: 0, read: 0, words: 0, minutes: 0, withText: 0 };
  const types = [
    { ...tally, fields: ['want', 'home'].map(field) },
    { ...tally, fields: ['home', 'colour'].map(field) },
  ];
  assert.deepEqual(
    heatColumns(types).map(({ name }) => name),
    ['home', 'colour', 'want'],
  );
});
