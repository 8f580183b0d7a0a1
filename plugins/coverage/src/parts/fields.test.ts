import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, isFilled } from './fields.ts';

test('fields stand in the order of the template', () => {
  const schema = {
    required: ['want'],
    properties: { late: { title: 'Late' }, want: { title: 'Want', 'x-order': 2 }, first: { 'x-order': 0 } },
  };
  assert.deepEqual(fieldsOf(schema), [
    { name: 'first', label: 'first', isRequired: false },
    { name: 'want', label: 'Want', isRequired: true },
    { name: 'late', label: 'Late', isRequired: false },
  ]);
  for (const none of [null, {}, { properties: [] }, 'text']) assert.deepEqual(fieldsOf(none), []);
});

test('what says nothing is empty', () => {
  for (const empty of [
    null,
    undefined,
    '',
    ' \n',
    '[Who raised them?]',
    [],
    ['', null],
    {},
    { hair: '', eyes: [] },
  ])
    assert.equal(isFilled(empty), false, JSON.stringify(empty));
  for (const filled of ['x', 0, false, ['a'], { hair: 'grey' }, '[one] and [two]', '[[mira_vale]]'])
    assert.equal(isFilled(filled), true, JSON.stringify(filled));
});
