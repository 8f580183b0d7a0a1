import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { parseTemplate, type TemplateDefinition } from '../template/index.ts';
import {
  type CanonFinding,
  canonEntityOf,
  checksOf,
  createWorld,
  dateReader,
  keyOf,
  REAL_CALENDAR,
} from './index.ts';

const TEMPLATES: Record<string, string> = {
  character: `birth_year: 0
death_year: 0
birthplace: null
crowned_year: 0
parents: []
inventory: []
field_config:
  crowned_year: { widget: year }
  birthplace: { reference_type: location }
  parents: { reference_type: character }
  inventory: { reference_type: item }`,
  event: `year: 0
date: ""
start_date: ""
end_date: ""
time_of_day: unknown
location: null
participants: []
causes: []
field_config:
  location: { reference_type: location }
  participants: { reference_type: character }
  causes: { reference_type: event, canon: earlier }`,
  location: `parent_location: null
founded_year: 0
destroyed_year: 0
field_config: { parent_location: { reference_type: location } }`,
  item: `owner: null
unique: false
created_year: 0
creator: null
field_config: { owner: { reference_type: character }, creator: { reference_type: character } }`,
  faction: `founded: ""
parent: null
field_config: { parent: { reference_type: faction } }`,
  timeline: `entries: []
events: []
is_canon: true
field_config: { events: { reference_type: event } }`,
  ship: `keeper: null
lost: ""
crew: []
field_config:
  keeper: { canon: unique_owner, reference_type: character }
  lost: { canon: end }
  crew: { canon: none, reference_type: character }`,
};

const definitions = new Map(
  Object.entries(TEMPLATES).map(([type, fields]): [string, TemplateDefinition] => {
    const text = `---\nentity_type: ${type}\nname: "[Name]"\n${fields}\n---\n`;
    const parsed = parseTemplate({ path: `_Templates/Standard/${type.toUpperCase()}_TEMPLATE.md`, text });
    assert.ok(parsed.ok, JSON.stringify(parsed));
    return [type, parsed.template];
  }),
);

type Fields = Record<string, unknown>;
/** Entities by `type/id`. */
type Canon = Record<string, Fields>;

const read = dateReader(REAL_CALENDAR);

function check(canon: Canon): CanonFinding[] {
  const world = createWorld();
  for (const [key, fields] of Object.entries(canon)) {
    const [type = '', id = ''] = key.split('/');
    const template = definitions.get(type);
    assert.ok(template, type);
    const entity = canonEntityOf(template, { entity_id: id, name: id, fields }, read);
    if (entity) world.add(entity);
  }
  const checks = checksOf(world, REAL_CALENDAR);
  return world.inOrder().flatMap(checks);
}

/** As `kind severity: entity.field=value <> entity.field=value`. */
const told = (canon: Canon): string[] =>
  check(canon).map(({ kind, severity, sides }) => {
    const side = sides.map(
      ({ entity, path, value }) => `${keyOf(entity)}.${path.join('.')}=${JSON.stringify(value)}`,
    );
    return `${kind} ${severity}: ${side.join(' <> ')}`;
  });
const only = (canon: Canon): CanonFinding => {
  const found = check(canon);
  assert.equal(found.length, 1, JSON.stringify(told(canon)));
  return found[0] as CanonFinding;
};

const ada = { birth_year: 360, death_year: 401 };
const siege = { date: '0410-03-04', location: 'mill', participants: ['bo', 'ada'] };

describe('references to the dead and the unborn', () => {
  test('name both sides, in a writer’s words', () => {
    const found = only({ 'character/ada': ada, 'character/bo': { birth_year: 390 }, 'event/siege': siege });
    assert.deepEqual(told({ 'character/ada': ada, 'event/siege': siege }), [
      'after_end error: event/siege.participants.1="ada" <> character/ada.death_year=401',
    ]);
    assert.equal(found.message, 'ada takes part in siege (0410-03-04), but had died in 401');
    assert.equal(found.key, 'after_end|event/siege:participants="ada"|character/ada:death_year');
    const unborn = only({ 'character/bo': { birth_year: 420 }, 'event/siege': siege });
    assert.equal(unborn.message, 'bo takes part in siege (0410-03-04), but was not born before 420');
  });

  test('read as a person would say them, whatever the two are to each other', () => {
    const keep = { founded_year: 1090, destroyed_year: 1150 };
    const said = (canon: Canon) => only(canon).message;
    const born = { 'location/keep': keep, 'character/mira': { birth_year: 1085, birthplace: 'keep' } };
    assert.equal(said(born), 'mira was born (1085) at keep, which did not exist before 1090');
    const made = { 'character/ada': ada, 'item/ring': { forged_year: 420, created_by: 'ada' } };
    assert.equal(said(made), 'ring was made (420) by ada, who had died in 401');
    const founded = { 'character/ada': ada, 'faction/guild': { founded_year: 350, founders: ['ada'] } };
    assert.equal(said(founded), 'guild was founded (350) by ada, who was not born before 360');
    const set = { 'location/keep': keep, 'event/feast': { year: 1080, location: 'keep' } };
    assert.equal(said(set), 'feast (1080) is set in keep, which did not exist before 1090');
    const gone = { 'location/keep': keep, 'event/feast': { year: 1160, location: 'keep' } };
    assert.equal(said(gone), 'feast (1160) is set in keep, which was gone by 1150');
    const ended = {
      'faction/guild': { dissolved_year: 390 },
      'event/feast': { year: 400, factions: ['guild'] },
    };
    assert.equal(said(ended), 'guild takes part in feast (400), but had ended in 390');
  });

  test('are certain, or they are none', () => {
    const at = (date: unknown) => told({ 'character/ada': ada, 'event/siege': { ...siege, date } });
    for (const open of ['0401-12-31', 'since 390', '395–405', 'c. 405', 'before 410', '', 'unknown', 0]) {
      assert.deepEqual(at(open), [], String(open));
    }
    assert.equal(at('0402-01-01').length, 1);
    assert.equal(at('since 402').length, 1);
    assert.equal(at('between 350 and 359').length, 1);
  });

  test('mean one entity, or nobody', () => {
    const canon: Canon = { 'character/ada': ada, 'timeline/t': { entries: ['0410: [[ada]]'] } };
    assert.equal(told(canon).length, 1);
    assert.deepEqual(told({ ...canon, 'location/ada': {} }), []);
    const typed = { 'timeline/t': { entries: ['0410: [[character:ada]]'] } };
    assert.equal(told({ ...canon, 'location/ada': {}, ...typed }).length, 1);
  });

  test('places that are gone, things that go back to nobody, entries that speak of the dead', () => {
    const canon: Canon = {
      'character/ada': ada,
      'location/mill': { founded_year: 300, destroyed_year: 405 },
      'event/siege': { ...siege, participants: [] },
      'item/ring': { created_year: 350, creator: 'ada' },
      'character/bo': { birth_year: 290, birthplace: 'mill' },
      'timeline/t': {
        entries: [
          '0410: The grave of [[ada]]',
          { year: 411, participants: 'ada', note: '[[event:siege]]' },
          '0412: [[event:siege]] is remembered',
          'Chapter 3: nothing here',
        ],
      },
    };
    assert.deepEqual(told(canon).sort(), [
      'after_end error: timeline/t.entries.1.participants="ada" <> character/ada.death_year=401',
      'after_end warning: timeline/t.entries.0="ada" <> character/ada.death_year=401',
      'before_start error: character/bo.birthplace="mill" <> location/mill.founded_year=300',
      'before_start error: item/ring.creator="ada" <> character/ada.birth_year=360',
      'place_gone warning: event/siege.location="mill" <> location/mill.destroyed_year=405',
      `unreadable_date info: timeline/t.entries.3="Chapter 3: nothing here"`,
    ]);
    assert.deepEqual(told({ ...canon, 'timeline/t': { ...canon['timeline/t'], is_canon: false } }).length, 3);
  });
});

describe('the order of time', () => {
  test('ends come after beginnings, dates agree, causes come first', () => {
    assert.match(
      only({ 'character/ada': { birth_year: 401, death_year: 360 } }).message,
      /^ada died in 360, but was born only in 401$/,
    );
    assert.match(
      only({ 'event/e': { start_date: '0402-01-05', end_date: '0402-01-04' } }).message,
      /^e ended on 0402-01-04, but began only on 0402-01-05$/,
    );
    assert.match(
      only({ 'event/e': { year: 401, date: '0402-01-04' } }).message,
      /contradicts itself: date \(0402-01-04\) lies after year \(401\)/,
    );
    assert.match(
      only({ 'character/ada': { ...ada, crowned_year: 402 } }).message,
      /crowned_year \(402\) lies after death_year \(401\)/,
    );
    const causes: Canon = { 'event/later': { year: 402 }, 'event/e': { year: 401, causes: ['later'] } };
    assert.match(
      only(causes).message,
      /^e says that later came before it, but e happened in 401 and later in 402$/,
    );
  });

  test('entries and listed events stand as they happened', () => {
    const entries = ['0400: a', '0402: b', '0401: c', 'since 399: d', '0403: e'];
    assert.deepEqual(told({ 'timeline/t': { entries } }), [
      'out_of_order warning: timeline/t.entries.1="0402: b" <> timeline/t.entries.2="0401: c"',
    ]);
    const canon: Canon = {
      'event/a': { year: 401 },
      'event/b': { year: 400 },
      'timeline/t': { events: ['a', 'b'] },
    };
    assert.deepEqual(told(canon), ['out_of_order warning: event/a.year=401 <> event/b.year=400']);
  });

  test('children are younger than their parents, and not born long after their death', () => {
    assert.match(
      only({ 'character/ada': ada, 'character/bo': { birth_year: 350, parents: ['ada'] } }).message,
      /^bo, born in 350, is older than a parent: ada was born in 360$/,
    );
    assert.match(
      only({ 'character/ada': ada, 'character/bo': { birth_year: 404, parents: ['ada'] } }).message,
      /^bo was born in 404, long after the death of a parent: ada died in 401$/,
    );
    assert.deepEqual(
      told({ 'character/ada': ada, 'character/bo': { birth_year: 402, parents: ['ada'] } }),
      [],
    );
  });

  test('what is no date is told with its reason, prose is left alone', () => {
    const canon: Canon = {
      'event/e': { date: '31 April 401' },
      'faction/f': { founded: 'by three sisters' },
      'faction/g': { founded: 'by 3 sisters' },
      'character/ada': { birth_year: 'long ago' },
    };
    const reason = 'it names no year, and no month of the calendar';
    assert.deepEqual(
      check(canon).map(({ message }) => message),
      [
        `'long ago' in ada cannot be read as a date: ${reason}`,
        "'31 April 401' in e cannot be read as a date: April has 30 days",
        `'by 3 sisters' in g cannot be read as a date: ${reason}`,
      ],
    );
  });
});

describe('two places at one time', () => {
  const places: Canon = {
    'location/land': {},
    'location/town': { parent_location: 'land' },
    'location/inn': { parent_location: 'town' },
    'location/mill': { parent_location: 'land' },
    'location/island': {},
    'character/ada': {},
  };
  const at = (location: string, more: Fields = {}) => ({
    date: '0410-03-04',
    location,
    participants: ['ada'],
    ...more,
  });
  const severities = (one: Fields, other: Fields) =>
    check({ ...places, 'event/one': one, 'event/other': other }).map(
      ({ kind, severity }) => `${kind} ${severity}`,
    );

  test('are told apart by day, hour and what lies in what', () => {
    assert.deepEqual(severities(at('inn'), at('island')), ['two_places warning']);
    assert.deepEqual(severities(at('inn'), at('mill')), ['two_places info']);
    const [dawn, night] = [{ time_of_day: 'dawn' }, { time_of_day: 'night' }];
    assert.deepEqual(severities(at('inn', dawn), at('mill', dawn)), ['two_places error']);
    assert.deepEqual(severities(at('inn', dawn), at('mill', night)), []);
    assert.deepEqual(severities(at('inn'), at('town')), []);
    assert.deepEqual(severities(at('inn'), at('land')), []);
    assert.deepEqual(severities(at('inn'), at('inn')), []);
    assert.deepEqual(severities(at('inn'), at('island', { date: '0410-03' })), []);
    assert.deepEqual(severities(at('inn'), at('island', { participants: [] })), []);
  });

  test('also in the entries of a timeline, each pair by itself', () => {
    const entry = (date: string, location: string) => ({ date, location, participants: ['ada'] });
    const entries = ['0410-03-04', '0411-03-04'].flatMap((date) => [
      entry(date, 'inn'),
      entry(date, 'island'),
    ]);
    const found = check({ ...places, 'timeline/t': { entries } });
    assert.deepEqual(
      found.map(({ kind }) => kind),
      ['two_places', 'two_places'],
    );
    assert.equal(new Set(found.map(({ key }) => key)).size, 2);
    assert.equal(found[0]?.message, 'ada is in two places on 0410-03-04: in inn (t) and in island (t)');
  });
});

describe('unique things', () => {
  const people: Canon = {
    'character/ada': { inventory: ['ring'] },
    'character/bo': { inventory: [{ item: 'ring' }] },
  };

  test('have one owner', () => {
    assert.deepEqual(told({ ...people, 'item/ring': { unique: true } }), [
      'owned_twice error: character/ada.inventory.0="ring" <> character/bo.inventory.0.item="ring"',
    ]);
    const owned = { ...people, 'character/bo': {}, 'item/ring': { owner: 'bo', unique: true } };
    assert.match(only(owned).message, /^There is only one ring, but both ada and bo have it$/);
    assert.deepEqual(told({ ...people, 'item/ring': { unique: false } }), []);
    assert.deepEqual(told({ ...people, 'item/ring': {} }), []);
    assert.deepEqual(
      told({ ...people, 'item/ring': { unique: true, owner: 'ada' }, 'character/bo': {} }),
      [],
    );
    assert.equal(
      told({ 'character/ada': {}, 'character/bo': {}, 'ship/s': { keeper: ['ada', 'bo'] } }).length,
      1,
    );
  });
});

describe('ancestors', () => {
  test('are nobody’s own', () => {
    const ring: Canon = {
      'faction/b': { parent: 'c' },
      'faction/c': { parent: 'a' },
      'faction/a': { parent: 'b' },
    };
    const found = only(ring);
    assert.equal(found.message, 'The parents of a lead back to a: a → b → c → a');
    assert.equal(found.sides.length, 3);
    assert.match(only({ 'location/x': { parent_location: 'x' } }).message, /its own parent/);
    assert.deepEqual(told({ ...ring, 'faction/a': {} }), []);
    const diamond: Canon = {
      'character/a': { parents: ['b', 'c'] },
      'character/b': { parents: ['d'] },
      'character/c': { parents: ['d'] },
      'character/d': {},
    };
    assert.deepEqual(told(diamond), []);
  });

  test('of a long line are followed without end', () => {
    const line = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`faction/f${index}`, { parent: `f${index + 1}` }]),
    );
    assert.deepEqual(told(line), []);
    assert.equal(told({ ...line, 'faction/f20000': { parent: 'f0' } }).length, 1);
  });
});

const YEARS = fc.integer({ min: 300, max: 460 });
const PEOPLE = ['ada', 'bo', 'cy', 'dan'];
const PLACES = ['inn', 'town', 'island'];
const someone = fc.constantFrom(...PEOPLE);
const some = (of: fc.Arbitrary<string>) => fc.uniqueArray(of, { maxLength: 3 });
const dateIn = fc.record({ year: YEARS, day: fc.integer({ min: 1, max: 3 }) });
const plan = fc.record({
  people: fc.array(
    fc.record({
      id: someone,
      birth: YEARS,
      death: fc.option(YEARS, { nil: 0 }),
      parents: some(someone),
      has: some(fc.constantFrom('ring', 'cup')),
    }),
    { maxLength: 5 },
  ),
  events: fc.array(fc.record({ at: dateIn, place: fc.constantFrom(...PLACES), who: some(someone) }), {
    maxLength: 6,
  }),
  entries: fc.array(fc.record({ year: YEARS, who: someone }), { maxLength: 5 }),
  within: fc.option(fc.constantFrom(...PLACES), { nil: null }),
});

type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

const pad = (year: number): string => String(year).padStart(4, '0');

function canonOf({ people, events, entries, within }: Plan, shift: number): Canon {
  return {
    ...Object.fromEntries(
      PLACES.map((place) => [`location/${place}`, { parent_location: place === 'inn' ? within : null }]),
    ),
    ...Object.fromEntries(
      people.map(({ id, birth, death, parents, has }) => [
        `character/${id}`,
        { birth_year: birth + shift, death_year: death === 0 ? 0 : death + shift, parents, inventory: has },
      ]),
    ),
    ...Object.fromEntries(
      events.map(({ at, place, who }, index) => [
        `event/e${index}`,
        { date: `${pad(at.year + shift)}-05-0${at.day}`, location: place, participants: who },
      ]),
    ),
    'timeline/t': { entries: entries.map(({ year, who }) => ({ year: year + shift, participants: [who] })) },
    'item/ring': { unique: true },
    'item/cup': { unique: false },
  };
}

/** Findings without their years. */
const gist = (canon: Canon): string[] =>
  check(canon)
    .map(({ kind, severity, sides }) =>
      [kind, severity, ...sides.map(({ entity, path }) => `${keyOf(entity)}.${path.join('.')}`)].join(' '),
    )
    .sort();

describe('any canon', () => {
  test('has the same findings when all its years are moved', () => {
    let findings = 0;
    fc.assert(
      fc.property(plan, fc.integer({ min: -250, max: 5000 }), (world, shift) => {
        const found = gist(canonOf(world, 0));
        findings += found.length;
        assert.deepEqual(gist(canonOf(world, shift)), found);
      }),
      { numRuns: 300 },
    );
    assert.ok(findings > 300, String(findings));
  });

  test('has the same findings beside entities that it has nothing to do with', () => {
    fc.assert(
      fc.property(plan, plan, (world, other) => {
        const own = canonOf(world, 0);
        const apart = JSON.parse(
          JSON.stringify(canonOf(other, 0)).replaceAll(
            /"(ada|bo|cy|dan|inn|town|island|ring|cup)"/g,
            '"other_$1"',
          ),
        ) as Canon;
        const renamed = Object.fromEntries(
          Object.entries(apart).map(([key, fields]) => [key.replace('/', '/other_'), fields]),
        );
        const keys = (canon: Canon) => check(canon).map(({ key }) => key);
        const together = keys({ ...renamed, ...own });
        assert.deepEqual([...together].sort(), [...keys(own), ...keys(renamed)].sort());
      }),
      { numRuns: 200 },
    );
  });

  test('has findings that are told apart by their keys', () => {
    fc.assert(
      fc.property(plan, (world) => {
        const keys = check(canonOf(world, 0)).map(
          ({ key, sides }) => `${key} ${sides.map(({ path }) => path.length)}`,
        );
        const entries = world.entries.map(({ year, who }) => `${year} ${who}`);
        fc.pre(new Set(entries).size === entries.length);
        assert.equal(new Set(keys).size, keys.length);
      }),
    );
  });
});
