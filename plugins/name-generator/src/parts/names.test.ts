import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, type World } from './answer.ts';
import { readCultures } from './cultures.ts';
import { keyOf, learn, makeNames } from './markov.ts';
import { createRandom } from './random.ts';
import { SAMPLES } from './samples.ts';

const harbour = SAMPLES[0]?.names ?? [];

function setUp(more: Partial<World> = {}) {
  const world: World = {
    cultures: () => 'Elves: Aelin, Aeloth, Baelin, Faeloth',
    listIds: () => [],
    nameOf: () => null,
    search: () => [],
    now: () => 0,
    anySeed: () => 'any',
    ...more,
  };
  const ask = (path: string, query = {}) => {
    const { status = 200, body } = answer(world, path, query);
    return {
      status,
      body: body as { names: string[]; seed: string; detail: string; cultures: { id: string }[] },
    };
  };
  return ask;
}

describe('the model', () => {
  const make = (samples: readonly string[], seed: string, count = 20, taken: string[] = []) =>
    makeNames(samples, { count, random: createRandom(seed), isTaken: (name) => taken.includes(name) });

  test('gives the same names for the same seed, and others for another', () => {
    assert.deepEqual(make(harbour, 'one'), make(harbour, 'one'));
    assert.notDeepEqual(make(harbour, 'one'), make(harbour, 'two'));
    assert.equal(make(harbour, 'one').length, 20);
  });

  test('gives no example, no name twice, and none that is taken', () => {
    const [first = ''] = make(harbour, 'one');
    const others = make(harbour, 'one', 40, [first]);
    assert.ok(!others.includes(first));
    assert.equal(new Set(others.map(keyOf)).size, others.length);
    for (const name of others) assert.ok(!harbour.includes(name), name);
  });

  test('every three letters of a name are in an example', () => {
    const all = harbour.map((name) => name.toLowerCase());
    for (const name of make(harbour, 'x')) {
      assert.match(name, /^\p{Lu}/u);
      for (let at = 0; at + 3 <= name.length; at += 1)
        assert.ok(
          all.some((one) => one.includes(name.slice(at, at + 3).toLowerCase())),
          name,
        );
    }
  });

  test('looks two letters back where there are few examples', () => {
    assert.equal(learn(['Anna', 'Hanno']).order, 2);
    assert.equal(learn(harbour).order, 3);
  });

  test('ends where there are no more names', () => {
    assert.deepEqual(make(['Ab', 'Ab'], 'x'), []);
  });

  test('keeps small words small, and writes parts with capitals', () => {
    const samples = ['Anna van Aalst', 'Anno van Alst', 'Hanna van Halst', 'Jan-Hanno van Aal'];
    for (const name of make(samples, 'y', 10)) {
      assert.doesNotMatch(name, /\bVan\b/, name);
      assert.doesNotMatch(name, /-\p{Ll}/u, name);
    }
  });
});

test('cultures are read from lines', () => {
  const read = readCultures('Hill clans: Brannoc,  Tam  sel ;Ori\nno culture\n: none\nHill clans: Ulf\n');
  assert.deepEqual(
    read.map(({ id, names }) => [id, names]),
    [['hill clans', ['Brannoc', 'Tam sel', 'Ori', 'Ulf']]],
  );
});

describe('the routes', () => {
  test('list cultures, own ones first', () => {
    const { body } = setUp()('/cultures');
    assert.deepEqual(
      body.cultures.map(({ id }) => id),
      ['elves', 'harbour', 'hills', 'steppe'],
    );
  });

  test('make names of a culture, and say by which seed', () => {
    const ask = setUp();
    const { body } = ask('/names', { culture: 'Harbour', count: '5', seed: 's' });
    assert.equal(body.names.length, 5);
    assert.deepEqual(ask('/names', { culture: 'harbour', count: '5', seed: 's' }).body, {
      ...body,
      culture: 'harbour',
    });
    assert.equal(ask('/names', { culture: 'harbour' }).body.seed, 'any');
    assert.equal(ask('/names', { culture: 'harbour' }).body.names.length, 8);
  });

  test('leave out names that an entry has', () => {
    const query = { culture: 'harbour', seed: 's' };
    const [first = ''] = setUp()('/names', query).body.names;
    const taken = setUp({ search: () => [{ name: 'Other' }, { name: first.toUpperCase() }] });
    assert.ok(!taken('/names', query).body.names.includes(first));
  });

  test('learn from the entries of a type, from all over it, in time', () => {
    const ids = Array.from({ length: 2_000 }, (_, at) => String(at));
    const read: string[] = [];
    let now = 0;
    const ask = setUp({
      listIds: () => ids,
      nameOf(_type, id) {
        read.push(id);
        now += 1;
        return harbour[(Number(id) / 5) % harbour.length] ?? null;
      },
      now: () => now,
    });
    assert.equal(ask('/names', { culture: 'type:character' }).body.names.length, 8);
    assert.deepEqual([read.length, read[0], read.at(-1)], [400, '0', '1995']);
    read.length = 0;
    const slow = setUp({
      listIds: () => ids,
      nameOf(_type, id) {
        read.push(id);
        return id;
      },
      now: () => read.length * 500,
    });
    slow('/names', { culture: 'type:character' });
    assert.equal(read.length, 5);
  });

  test('say what is wrong', () => {
    const ask = setUp();
    assert.match(ask('/names', { culture: 'orcs' }).body.detail, /no culture 'orcs'/);
    assert.equal(ask('/names', { culture: 'type:quest' }).status, 422);
    for (const count of ['0', '51', 'x', '1.5'])
      assert.equal(ask('/names', { culture: 'hills', count }).status, 422);
    assert.equal(ask('/').status, 404);
  });
});
