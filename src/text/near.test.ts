import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, nearest } from './near.ts';

const FIELDS = ['birth_year', 'death_year', 'birthplace', 'species', 'want', 'need'];

test('the known name that a slip of the fingers means', () => {
  const cases: [string, string | undefined][] = [
    ['brith_year', 'birth_year'],
    ['birthyear', 'birth_year'],
    ['Birth-Year', 'birth_year'],
    ['speces', 'species'],
    ['wnat', 'want'],
    ['wants', 'want'],
    ['shoe_size', undefined],
    ['year', undefined],
    ['x', undefined],
    ['', undefined],
    ['w'.repeat(5000), undefined],
  ];
  for (const [mistyped, meant] of cases) assert.equal(nearest(mistyped, FIELDS), meant, mistyped);
  assert.equal(nearest('BIND_ADRR', ['BIND_ADDR', 'AUTH_URL']), 'BIND_ADDR');
});

test('the sentence ends without a guess when nothing is near', () => {
  assert.equal(didYouMean('brith_year', FIELDS), " (did you mean 'birth_year'?)");
  assert.equal(didYouMean('shoe_size', FIELDS), '');
});
