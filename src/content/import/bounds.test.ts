import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { STEP_LIMITS } from './bounds.ts';
import { type ImportFormat, readSource } from './index.ts';
import { jsonMembers } from './json-members.ts';

const read = (text: string, format: ImportFormat, path = '') => {
  const items = [...readSource({ path, text }, format)];
  return {
    notes: items.flatMap((item) => ('note' in item ? [item.note] : [])),
    refused: items.flatMap((item) => ('refused' in item ? [item.refused] : [])),
  };
};
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `P${index}`, want: 'to "win", [once] {or} twice\\' }));

describe('members of a JSON text', () => {
  const indent = fc.constantFrom(undefined, 2, '\t');

  test('are those of the list or object that it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.json()), fc.dictionary(fc.string(), fc.json())),
        indent,
        (value, space) => {
          const given: unknown = Array.isArray(value)
            ? value.map((text) => JSON.parse(text) as unknown)
            : Object.entries(value).map(([key, text]) => [key, JSON.parse(text) as unknown]);
          const whole = Array.isArray(value) ? given : Object.fromEntries(given as [string, unknown][]);
          const members = [...jsonMembers(` ${JSON.stringify(whole, null, space)}\n`)];
          const expected = Object.entries(whole as object).map(([key, entry]) => [
            Array.isArray(value) ? null : key,
            entry as unknown,
          ]);
          assert.deepEqual(
            members.map(({ key, text }) => [key, JSON.parse(text) as unknown]),
            expected,
          );
        },
      ),
    );
  });

  for (const text of [
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":1,}',
    '{1:2}',
    '[1',
    '[1}',
    '["a',
    '5',
    '',
    '[1]]',
    '{,}',
  ])
    test(`${text || 'nothing'} has none`, () => {
      assert.throws(() => {
        for (const { text: member } of jsonMembers(text)) JSON.parse(member);
      }, SyntaxError);
    });
});

describe('a long JSON text', () => {
  const many = people(15_000);

  test('gives the notes that its parts give', () => {
    const { notes, refused } = read(JSON.stringify(many), 'json');
    assert.ok(JSON.stringify(many).length > STEP_LIMITS.json);
    assert.deepEqual(refused, []);
    assert.deepEqual(
      notes.map(({ properties }) => properties),
      many,
    );
    assert.equal(notes.at(-1)?.place, 'the JSON[14999]');
  });

  test('names types over their entities', () => {
    const world = {
      characters: many,
      locations: { quay: { mood: 'wet' } },
      item: [{ name: 'Bell' }],
      version: 3,
    };
    const { notes, refused } = read(JSON.stringify(world), 'json', 'world.json');
    assert.deepEqual(
      refused.map(({ place }) => place),
      ['world.json: version'],
    );
    const tail = notes.slice(-3).map(({ place, groups, properties }) => ({ place, groups, properties }));
    assert.deepEqual(tail, [
      { place: 'world.json: characters[14999]', groups: ['characters', 'world'], properties: many.at(-1) },
      {
        place: 'world.json: locations.quay',
        groups: ['locations', 'world'],
        properties: { name: 'quay', mood: 'wet' },
      },
      { place: 'world.json: item[0]', groups: ['item', 'world'], properties: { name: 'Bell' } },
    ]);
  });

  test('is taken in up to its fault, and an entity of that length is refused', () => {
    const long = 'x'.repeat(STEP_LIMITS.json);
    const { notes, refused } = read(`[{"name":"A"},{"name":"${long}"},{"name":"B"},{"name"}]`, 'json');
    assert.deepEqual(
      notes.map(({ properties }) => properties.name),
      ['A', 'B'],
    );
    assert.match(refused[0]?.reason ?? '', /too long for one entity/);
    assert.match(refused[1]?.reason ?? '', /no JSON/);
  });
});

describe('what no step could take', () => {
  test('a note that is a book is refused', () => {
    const { notes, refused } = read('x'.repeat(STEP_LIMITS.note + 1), 'markdown', 'Book.md');
    assert.deepEqual(notes, []);
    assert.match(refused[0]?.reason ?? '', /split it/);
  });

  test('a cell that is a book ends a table, and the rows before it stay', () => {
    const rows = 'Ada,here\n'.repeat(5_000);
    const { notes, refused } = read(`name,want\n${rows}Bob,"${'x\n'.repeat(STEP_LIMITS.rows)}"\n`, 'csv');
    assert.ok(notes.length > 0 && notes.every(({ properties }) => properties.name === 'Ada'));
    assert.match(refused[0]?.reason ?? '', /Quote Not Closed/);
  });

  test('a note with more properties than anybody gives one is refused', () => {
    const names = Array.from({ length: STEP_LIMITS.properties + 1 }, (_, index) => `c${index}`);
    const json = JSON.stringify([Object.fromEntries(names.map((name) => [name, 1]))]);
    for (const [text, format] of [
      [`${names.join(',')}\n1,2,3\n`, 'csv'],
      [json, 'json'],
      [`---\n${names.map((name) => `${name}: 1\n`).join('')}---\n`, 'markdown'],
    ] as const) {
      const { notes, refused } = read(text, format);
      assert.deepEqual(notes, [], format);
      assert.match(refused[0]?.reason ?? '', /1001 properties/, format);
    }
  });

  test('a refused value is told short', () => {
    const { refused } = read(`[${JSON.stringify('x'.repeat(5_000))}]`, 'json');
    assert.ok(String(refused[0]?.value).length < 2_100);
  });
});
