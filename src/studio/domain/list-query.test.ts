import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { apiQueryOf, EVERYTHING, type ListQuery, listQueryOf, SORT_COLUMNS, searchOf } from './list-query.ts';

const text = fc.string({ unit: 'grapheme' });
const name = fc.stringMatching(/^[a-z][a-z_.]{0,20}$/);

const queries: fc.Arbitrary<ListQuery> = fc.record(
  {
    text,
    status: fc.option(text),
    sort: fc.constantFrom(...SORT_COLUMNS),
    isDescending: fc.boolean(),
    filters: fc.dictionary(name, text, { noNullPrototype: true }),
    columns: fc.option(fc.array(name)),
  },
  { noNullPrototype: true },
);

test('what an address says is what it was made of', () => {
  fc.assert(fc.property(queries, (query) => assert.deepEqual(listQueryOf(searchOf(query)), query)));
});

test('a list of everything has a bare address', () => {
  assert.equal(searchOf(EVERYTHING), '');
  assert.deepEqual(listQueryOf('?sort=nonsense&f.=1'), EVERYTHING);
});

test('a nested field is filtered as the API takes it', () => {
  const query = listQueryOf('q=tide&status=draft&sort=-updated_at&f.arc.beginning=x');
  assert.deepEqual(apiQueryOf(query), {
    search: 'tide',
    status: 'draft',
    sort_by: 'updated_at',
    sort_order: 'desc',
    'filter[arc.beginning]': 'x',
  });
});
