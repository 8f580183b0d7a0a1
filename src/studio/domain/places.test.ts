import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ACCOUNT_PAGES,
  addressOf,
  ENTITY_TABS,
  MY_PAGES,
  type Place,
  placeOf,
  WORLD_PAGES,
} from './places.ts';

const part = fc
  .string({ minLength: 1, unit: 'binary' })
  .filter((text) => isSound(text) && !['.', '..'].includes(text));
const type = part.filter((text) => text !== '-');
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const version = fc.integer({ min: 1, max: 999_999_999 });

const places = fc.oneof(
  fc.constantFrom<Place>(
    { screen: 'start' },
    { screen: 'start', error: 'access_denied' },
    { screen: 'welcome' },
    { screen: 'worlds' },
    { screen: 'worlds', begin: 'sample' },
  ),
  fc.record({
    screen: fc.constant('account'),
    page: fc.constantFrom(...ACCOUNT_PAGES),
    token: optional(part),
  }),
  fc.record({ screen: fc.constant('me'), page: fc.constantFrom(...MY_PAGES) }),
  fc.record({ screen: fc.constant('home'), project: part }),
  fc.record({ screen: fc.constant('list'), project: part, type }),
  fc.record({ screen: fc.constant('new'), project: part, type: part, name: optional(part) }),
  fc.record({
    screen: fc.constant('entity'),
    project: part,
    type,
    id: part,
    tab: optional(fc.constantFrom(...ENTITY_TABS, 'plugin:words:goals' as const)),
    field: optional(part),
    line: optional(fc.integer({ min: 1 })),
    versions: optional(fc.record({ from: version, to: version })),
  }),
  fc.record({
    screen: fc.constant('page'),
    project: part,
    page: fc.constantFrom(...WORLD_PAGES),
    item: optional(part),
    q: optional(part),
  }),
  fc.record({ screen: fc.constant('plugin'), project: part, plugin: part, page: part }),
  fc.record({ screen: fc.constant('layout'), project: part, type: part }),
);

test('every address leads back to its place', () => {
  fc.assert(
    fc.property(places, (given) => {
      const place = JSON.parse(JSON.stringify(given)) as Place;
      const [path = '', search = ''] = addressOf(place).split('?');
      assert.deepEqual(placeOf(path, search), place);
    }),
  );
});

test('an address that names no screen is unknown, and a broken escape is no crash', () => {
  for (const path of [
    '/x',
    '/w/a/-/nothing',
    '/w/a/-/x/words',
    '/w/a/-/x/words/goals/more',
    '/w/a/-/types/character',
    '/w/a/-/types/character/layout/more',
    '/w/a/b/c/d',
    '/me/secrets',
    '/sign-in/x',
  ])
    assert.equal(placeOf(path, '').screen, 'unknown', path);
  assert.deepEqual(placeOf('/w/a/b/c', 'v=3..0'), placeOf('/w/a/b/c', 'v=3'));
  assert.deepEqual(placeOf('/w/%zz', ''), { screen: 'home', project: '%zz' });
});

/** Lone surrogates have no address. */
const isSound = (text: string): boolean => text.isWellFormed();
