import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { problemOf } from './field-check.ts';
import { isEmptyField, isEmptyValue, listOfValue, valueOfList, valueOfText } from './field-value.ts';
import { fieldOfSchema, type JsonSchema } from './form-field.ts';
import { referencesIn, withoutReference, withReference, withRelationship } from './reference-value.ts';

const field = (schema: JsonSchema, isRequired = false) => fieldOfSchema(['it'], schema, isRequired);

describe('what counts as empty', () => {
  for (const value of [undefined, null, '', '  ', [], [''], {}, { a: '', b: [null] }])
    test(JSON.stringify(value) ?? 'undefined', () => assert.ok(isEmptyValue(value)));
  for (const value of [0, false, 'a', [0], { a: false }])
    test(`not ${JSON.stringify(value)}`, () => assert.ok(!isEmptyValue(value)));
  test('the year 0', () => {
    assert.ok(isEmptyField(field({ type: 'number', 'x-widget': 'year' }), 0));
    assert.ok(!isEmptyField(field({ type: 'number' }), 0));
  });
});

describe('a text that was typed', () => {
  const text = field({ type: 'string' });
  const number = field({ type: 'number' });
  const both = field({ type: ['string', 'number'] });
  test('stays a text, also if it looks like a number', () =>
    assert.equal(valueOfText('12', text, '11'), '12'));
  test('is a number where only numbers are admitted', () =>
    assert.equal(valueOfText('12', number, '11'), 12));
  test('is kept where it is no number', () => assert.equal(valueOfText('twelve', number, 11), 'twelve'));
  test('keeps the shape that the file had', () => {
    assert.equal(valueOfText('12', both, 11), 12);
    assert.equal(valueOfText('12', both, '11'), '12');
    assert.equal(valueOfText('007', both, 7), '007');
  });
  test('that is empty is null where no text is admitted', () =>
    assert.equal(valueOfText('', number, 1), null));
});

describe('lists', () => {
  test('a single value is a list of one', () => {
    assert.deepEqual(listOfValue('a'), ['a']);
    assert.deepEqual(listOfValue(null), []);
  });
  test('keep the shape that the file had, if the schema admits it', () => {
    assert.equal(valueOfList(['b'], ['string', 'array'], 'a'), 'b');
    assert.deepEqual(valueOfList(['b'], ['array'], 'a'), ['b']);
    assert.deepEqual(valueOfList(['a', 'b'], ['string', 'array'], 'a'), ['a', 'b']);
    assert.deepEqual(valueOfList([], ['array'], ['a']), []);
    assert.equal(valueOfList([], ['string'], 'a'), null);
  });
});

describe('references', () => {
  const one = field({ type: ['string', 'null'], 'x-reference-type': 'location', 'x-max-selections': 1 });
  const many = field({ type: 'array', 'x-reference-type': 'character' });
  const related = field({
    type: 'array',
    'x-reference-type': 'character',
    'x-relationship-types': [{ value: 'family', label: 'Family' }],
  });
  const targets = (value: unknown) => referencesIn(related, value)?.map(({ type, id }) => [type, id]);

  test('are ids, links and maps', () => {
    assert.deepEqual(
      targets(['mira', '[[event:oath]]', '[[Orla Fenn|Orla]]', { target: 'bo', type: 'family' }, 7]),
      [
        ['character', 'mira'],
        ['event', 'oath'],
        ['character', 'Orla Fenn'],
        ['character', 'bo'],
        ['character', null],
      ],
    );
    assert.equal(referencesIn(related, [{ id: 'bo', type: 'family' }])?.[0]?.relationship, 'family');
  });
  test('one takes the place of the other where only one may stand', () => {
    assert.equal(withReference(one, 'old', { id: 'new', type: 'location' }), 'new');
    assert.equal(withoutReference(one, 'old', 0), null);
  });
  test('a new one looks like its neighbours', () => {
    const added = { id: 'bo', type: 'character' };
    assert.deepEqual(withReference(many, [], added), ['bo']);
    assert.deepEqual(withReference(many, 'mira', added), ['mira', 'bo']);
    assert.deepEqual(withReference(many, ['[[character:mira]]'], added), [
      '[[character:mira]]',
      '[[character:bo]]',
    ]);
    assert.deepEqual(withReference(many, [{ character_id: 'mira' }], added), [
      { character_id: 'mira' },
      { character_id: 'bo' },
    ]);
    assert.equal(
      withReference(field({ type: 'string', 'x-widget': 'entity-selector' }), '', added),
      '[[character:bo]]',
    );
  });
  test('a relationship makes a map of an id and keeps what a map says', () => {
    const value = ['mira', { id: 'bo', since: 380 }];
    assert.deepEqual(withRelationship(related, value, { index: 0, relationship: 'family' }), [
      { target: 'mira', type: 'family' },
      { id: 'bo', since: 380 },
    ]);
    assert.deepEqual(withRelationship(related, value, { index: 1, relationship: 'family' }), [
      'mira',
      { id: 'bo', since: 380, type: 'family' },
    ]);
  });
});

describe('checks before the server’s', () => {
  const options = { 'x-options': [{ value: 'red', label: 'Red' }], enum: ['red', ''] };
  for (const [name, schema, value, problem] of [
    ['a range', { type: 'number', 'x-min': 2, 'x-max': 5 }, 1, { kind: 'too-small', limit: 2 }],
    ['a range', { type: 'number', 'x-min': 2, 'x-max': 5 }, '6', { kind: 'too-large', limit: 5 }],
    ['a number', { type: 'number' }, 'six', { kind: 'no-number' }],
    ['a whole number', { type: 'integer' }, 1.5, { kind: 'no-integer' }],
    ['one of the options', { type: 'string', ...options }, 'blue', { kind: 'no-option' }],
    ['one of the options', { type: 'string', ...options }, 'red', null],
    ['a proposal', { type: 'string', 'x-options': options['x-options'] }, 'blue', null],
    ['a limit', { type: 'array', 'x-max-selections': 1 }, ['a', 'b'], { kind: 'too-many', limit: 1 }],
  ] as const)
    test(`${name}: ${JSON.stringify(value)}`, () =>
      assert.deepEqual(problemOf(field(schema), value), problem));
  test('a value that must be there', () => {
    assert.deepEqual(problemOf(field({ type: 'string' }, true), ' '), { kind: 'required' });
    assert.equal(problemOf(field({ type: 'string' }), ''), null);
  });
});
