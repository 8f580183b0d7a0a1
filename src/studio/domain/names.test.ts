import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldName, matchRanges, scoreName } from './name-score.ts';
import { NamesIndex, type NamesReply } from './names-index.ts';

const reply = (
  rows: [type: string, id: string, name: string, aliases?: string[]][],
  more: Partial<NamesReply> = {},
): NamesReply => {
  const types = [...new Set(rows.map(([type]) => type))];
  return {
    types,
    t: rows.map(([type]) => types.indexOf(type)),
    id: rows.map(([, id]) => id),
    name: rows.map(([, , name]) => name),
    aliases: rows.map(([, , , aliases]) => aliases ?? null),
    status: rows.map(() => 'active'),
    gone: [],
    cursor: 'c1',
    full: true,
    ...more,
  };
};

const indexOf = (...rows: Parameters<typeof reply>[0]) => {
  const index = new NamesIndex();
  index.apply(reply(rows));
  return index;
};
const found = (index: NamesIndex, text: string, types?: string[]) =>
  index.search(text, { limit: 10, ...(types && { types }) }).map(({ id }) => id);

test('the start of the name comes before the start of a word, initials, the inside and letters in order', () => {
  const index = indexOf(
    ['c', 'letters', 'Maximilian Lever'],
    ['c', 'inside', 'Admiral Oak'],
    ['c', 'initials', 'Mo Ivy Rask'],
    ['c', 'word', 'Old Mirror'],
    ['c', 'prefix', 'Mira Vale'],
    ['c', 'whole', 'Mir'],
    ['c', 'none', 'Oda Pell'],
  );
  assert.deepEqual(found(index, 'MIR'), ['whole', 'prefix', 'word', 'initials', 'inside', 'letters']);
  assert.deepEqual(found(index, 'mv')[0], 'prefix');
  assert.deepEqual(found(index, 'mira v'), ['prefix']);
  assert.deepEqual(found(index, 'zz'), []);
});

test('marks and case do not matter, and bold letters are those of the name as it is written', () => {
  const index = indexOf(['c', 'a', 'Ängström Straße'], ['c', 'b', 'Łódź']);
  assert.deepEqual(
    [found(index, 'angst'), found(index, 'ÄNGST'), found(index, 'lodz')],
    [['a'], ['a'], ['b']],
  );
  assert.deepEqual(matchRanges('strasse', 'Ängström Straße'), [[9, 15]]);
  assert.deepEqual(matchRanges('öse', 'Großösen'), [[4, 7]]);
  assert.deepEqual(matchRanges('mv', 'Mira Vale'), [
    [0, 1],
    [5, 6],
  ]);
  assert.deepEqual(matchRanges('va', 'Ava Vale'), [[4, 6]]);
  assert.deepEqual(matchRanges('mae', 'Mira Vale'), [
    [0, 1],
    [3, 4],
    [8, 9],
  ]);
  assert.deepEqual(matchRanges('x', 'Mira'), []);
  assert.equal(foldName('Cafe\u0301'), 'cafe');
});

test('what a score finds has letters to show, and what it does not find has none', () => {
  const names = ['Mira Vale', 'The Old-Mill of Aram', "O'Hara", 'Ærø', '人魚', 'A'];
  for (const name of names)
    for (const query of ['mi', 'tom', 'oh', 'aero', '魚', 'a', 'aa', 'va', 'mill of'])
      assert.equal(
        scoreName(foldName(query), foldName(name)) > 0,
        matchRanges(query, name).length > 0,
        `${query} in ${name}`,
      );
});

test('aliases are found and said; a name that fits as well comes first', () => {
  const index = indexOf(['c', 'a', 'Oda Pell', ['The Grey Tide', 'Mira']], ['c', 'b', 'Mira']);
  const [first, second] = index.search('mira', { limit: 10 });
  assert.deepEqual([first?.id, first?.alias], ['b', null]);
  assert.deepEqual([second?.id, second?.alias, second?.ranges], ['a', 'Mira', [[0, 4]]]);
});

test('what was opened last comes first on ties, and is listed without a text', () => {
  const index = indexOf(['c', 'a', 'Mira A'], ['c', 'b', 'Mira B'], ['q', 'c', 'Mira C']);
  assert.deepEqual(found(index, 'mira'), ['a', 'b', 'c']);
  index.touch('c', 'b');
  index.touch('q', 'c');
  assert.deepEqual(found(index, 'mira'), ['c', 'b', 'a']);
  assert.deepEqual([found(index, ''), found(index, ' ', ['c'])], [['c', 'b'], ['b']]);
  assert.deepEqual(found(index, 'mira', ['c']), ['b', 'a']);
});

test('changes and deletions since a cursor are taken in; all names replace what was there', () => {
  const index = indexOf(['c', 'a', 'Mira'], ['q', 'b', 'Quest']);
  index.apply(
    reply(
      [
        ['c', 'a', 'Oda'],
        ['l', 'n', 'Harbour'],
      ],
      { types: ['c', 'l', 'q'], full: false, gone: [{ t: 2, id: 'b' }] },
    ),
  );
  assert.deepEqual(
    [found(index, 'oda'), found(index, 'mira'), found(index, 'quest'), index.size],
    [['a'], [], [], 2],
  );
  const copy = new NamesIndex();
  copy.apply(index.all('c2'));
  assert.deepEqual([copy.find('c', 'a'), copy.find('l', 'n')?.name], [index.find('c', 'a'), 'Harbour']);
  index.apply(reply([['c', 'z', 'Only']]));
  assert.equal(index.size, 1);
});

test('only as many as were asked for, the best of all', () => {
  const index = indexOf(
    ...Array.from({ length: 300 }, (_, n): [string, string, string] => ['c', `n${n}`, `Name ${299 - n}`]),
  );
  assert.deepEqual(
    index.search('name', { limit: 3 }).map(({ name }) => name),
    ['Name 0', 'Name 1', 'Name 2'],
  );
});

test('names in a text are found as whole words, the longest at each place; ambiguous and short ones are not', () => {
  const index = indexOf(
    ['c', 'mira', 'Mira Vale', ['Mira']],
    ['c', 'vale', 'Vale'],
    ['l', 'arm', 'Ångarm'],
    ['c', 'two', 'Wren'],
    ['l', 'wren', 'Wren'],
    ['c', 'xu', 'Xu'],
  );
  const text = 'MIRA VALE of Vale met Mira’s Wren, Xu, Miranda and Mira Valentine in ångarm (a\u030angarm).';
  const offers = index.findIn(text).map(({ from, to, entity }) => [text.slice(from, to), entity.id]);
  assert.deepEqual(offers, [
    ['MIRA VALE', 'mira'],
    ['Vale', 'vale'],
    ['Mira', 'mira'],
    ['Mira', 'mira'],
    ['ångarm', 'arm'],
    ['a\u030angarm', 'arm'],
  ]);
  index.apply(reply([['c', 'xu', 'Xuan']], { full: false }));
  assert.deepEqual(
    index.findIn('Xuan').map(({ entity }) => entity.id),
    ['xu'],
  );
});

test('an id without a type is found where it is one entity’s', () => {
  const index = indexOf(['c', 'mira', 'Mira'], ['c', 'x', 'One'], ['l', 'x', 'Two']);
  assert.deepEqual([index.find(undefined, 'mira')?.name, index.find(undefined, 'x')], ['Mira', undefined]);
  index.apply(reply([], { types: ['l'], full: false, gone: [{ t: 0, id: 'x' }] }));
  assert.equal(index.find(undefined, 'x')?.name, 'One');
});
