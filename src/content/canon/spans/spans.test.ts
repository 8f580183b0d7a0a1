import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTemplate } from '../../template/index.ts';
import { dateReader, REAL_CALENDAR } from '../calendar/index.ts';
import { canonEntityOf, HINT_WORDS, isHint } from './index.ts';

const read = dateReader(REAL_CALENDAR);

function entityOf(fields: Record<string, unknown>, frontmatter = 'x: ""', type = 'thing') {
  const path = `_Templates/Standard/${type.toUpperCase()}_TEMPLATE.md`;
  const parsed = parseTemplate({ path, text: `---\nentity_type: ${type}\n${frontmatter}\n---\n` });
  assert.ok(parsed.ok);
  const entity = canonEntityOf(parsed.template, { entity_id: 'it', name: 'It', fields }, read);
  assert.ok(entity);
  return entity;
}

/** The meaning of the field for the entity, in words. */
function meaningOf(name: string, value: unknown, frontmatter?: string, type?: string): string {
  const { start, end, dates, milestones, links, moments, copies, timeOfDay } = entityOf(
    { [name]: value },
    frontmatter,
    type,
  );
  const said: [boolean, string][] = [
    [start !== null, start?.isLife ? 'birth' : 'start'],
    [end !== null, end?.isLife ? 'death' : 'end'],
    [dates.length > 0, 'date'],
    [milestones.length > 0, 'milestone'],
    [moments.length > 0, 'entries'],
    [timeOfDay !== null, 'time_of_day'],
    [copies !== null && links.length === 0, `unique ${copies}`],
  ];
  return [...said.flatMap(([holds, word]) => (holds ? [word] : [])), ...links.map(({ role }) => role)].join();
}

describe('what a field means for the order of time', () => {
  const NAMES: [names: string, value: unknown, meaning: string][] = [
    ['birth_year birth_date born born_on born_in year_of_birth date_of_birth', 401, 'birth'],
    ['death_year death_in died died_on year_of_death', 401, 'death'],
    ['founded founded_year established built_in constructed launched formed founding_date', 401, 'start'],
    [
      'creation_year start_date begin_year begins_day opened_year forged_year created_date made_year',
      401,
      'start',
    ],
    ['dissolved destroyed_year disbanded demolished_in abandoned end_date ends_year closed_day', 401, 'end'],
    ['date year event_date story_date in_world_date happened_on occurred_on', 401, 'date'],
    ['entries timeline chronology history milestones key_dates eras', ['401: x'], 'entries'],
    [
      'participant participants character characters attendees protagonists witnesses speaker listeners',
      'a',
      'present',
    ],
    ['cast guests giver quest_giver combatants victim perpetrators faction factions', 'a', 'present'],
    ['location locations place venue setting start_location battlefield', 'a', 'place'],
    ['founder founded_by creator created_by maker made_by builders built_by author inventor', 'a', 'origin'],
    ['birthplace place_of_birth', 'a', 'origin'],
    ['owner owners owned_by current_owner held_by bearer wielder carried_by', 'a', 'owner'],
    [
      'inventory possessions belongings equipment carries owns owned_items items_owned items_carried',
      'a',
      'inventory',
    ],
    ['parent parents mother father ancestor part_of contained_in parent_place', 'a', 'parent'],
    ['caused_by preceded_by prerequisites', 'a', 'earlier'],
    ['consequences leads_to followed_by', 'a', 'later'],
    ['unique is_unique one_of_a_kind', true, 'unique one'],
    ['unique', false, 'unique many'],
    ['time_of_day', 'dawn', 'time_of_day'],
    ['time_of_day', 'unknown', ''],
    ['birthday_party rebirth_year year_of the_owner grandparents events note', 'a', ''],
  ];
  for (const [names, value, meaning] of NAMES)
    it(`${meaning || 'nothing'}: ${names}`, () => {
      for (const name of names.split(' ')) assert.equal(meaningOf(name, value), meaning, name);
    });

  it('follows the words of the template before the name', () => {
    const words: [word: string, value: unknown, meaning: string][] = [
      ...['birth', 'death', 'start', 'end', 'date', 'milestone'].map((word): [string, unknown, string] => [
        word,
        401,
        word,
      ]),
      ['entries', ['401: x'], 'entries'],
      ['participants', 'a', 'present'],
      ...['place', 'origin', 'mention', 'owner', 'inventory', 'parent', 'earlier', 'later', 'sequence'].map(
        (word): [string, unknown, string] => [word, 'a', word],
      ),
      ['unique_owner', 'a', 'owner'],
      ['unique', true, 'unique one'],
      ['time_of_day', 'dawn', 'time_of_day'],
      ['none', 'a', ''],
    ];
    assert.deepEqual(HINT_WORDS.toSorted(), words.map(([word]) => word).toSorted());
    for (const [word, value, meaning] of words) {
      assert.ok(isHint(word));
      const field = 'location';
      assert.equal(
        meaningOf(field, value, `${field}: ""\nfield_config: { ${field}: { canon: ${word} } }`),
        meaning,
      );
    }
    assert.deepEqual([isHint('wibble'), isHint(5)], [false, false]);
    assert.equal(
      meaningOf('location', 'a', 'location: ""\nfield_config: { location: { canon: wibble } }'),
      'place',
    );
    assert.equal(
      meaningOf('crowned', 401, 'crowned: 0\nfield_config: { crowned: { widget: year } }'),
      'milestone',
    );
    assert.equal(meaningOf('events', ['a', 'b'], 'x: 1', 'timeline'), 'sequence,sequence');
  });

  it('says that there is one, where one owner is named', () => {
    assert.equal(entityOf({ owner: 'a' }).copies, 'one');
    assert.equal(entityOf({ owner: ['a', 'b'] }).copies, null);
    assert.equal(entityOf({ owner: 'a', unique: false }).copies, 'many');
  });

  it('tells of dates that cannot be read, where one was meant', () => {
    const unreadable = (fields: Record<string, unknown>, frontmatter?: string) =>
      entityOf(fields, frontmatter).unreadable.map(({ path, value }) => [path.join('.'), value]);
    assert.deepEqual(unreadable({ founded: 'long ago', destroyed: 'in 4x', date: true }), [
      ['destroyed', 'in 4x'],
      ['date', true],
    ]);
    assert.deepEqual(
      unreadable({ founded: 'long ago' }, 'founded: ""\nfield_config: { founded: { widget: year } }'),
      [['founded', 'long ago']],
    );
    assert.deepEqual(unreadable({ entries: ['4x5: no', 'words: none', 'Arrival: 5'] }), [
      ['entries.0', '4x5: no'],
    ]);
  });
});

describe('whom a field names', () => {
  const named = (value: unknown, frontmatter?: string) =>
    entityOf({ participants: value }, frontmatter).links.map(({ type, id, path }) => [
      type,
      id,
      path.join('.'),
    ]);

  it('are ids, links, and maps that hold one', () => {
    assert.deepEqual(named(' a '), [[null, 'a', 'participants']]);
    assert.deepEqual(named('[[character:b|B]] and [[c]]'), [
      ['character', 'b', 'participants'],
      [null, 'c', 'participants'],
    ]);
    for (const key of ['entity_id', 'id', 'target_id', 'target', 'item', 'character'])
      assert.deepEqual(named([{ role: 'x', [key]: 'a' }]), [[null, 'a', `participants.0.${key}`]]);
    assert.deepEqual(named([['no'], 5, '', '[Name]', {}, { id: 5 }]), []);
    const typed = 'participants: []\nfield_config: { participants: { reference_type: pilot } }';
    assert.deepEqual(named([{ pilot_id: 'a' }, { pilot: 'b' }, 'c', '[[x:d]]'], typed), [
      ['pilot', 'a', 'participants.0.pilot_id'],
      ['pilot', 'b', 'participants.1.pilot'],
      ['pilot', 'c', 'participants.2'],
      ['x', 'd', 'participants.3'],
    ]);
    assert.equal(named(Array.from({ length: 1_200 }, (_, index) => `a${index}`)).length, 1_000);
    assert.deepEqual(named('x'.repeat(5_000)), []);
  });
});

describe('the dated entries of an entity', () => {
  const moments = (entries: unknown[], frontmatter?: string) =>
    entityOf({ entries }, frontmatter).moments.map(({ mark, links, timeOfDay }) => ({
      at: mark.path.join('.'),
      years: [mark.days.first, mark.days.last].map((day) =>
        Number.isFinite(day) ? Math.ceil(day / 365.2425) : day,
      ),
      links: links.map(({ role, id, path }) => `${role} ${id} ${path.join('.')}`),
      timeOfDay,
    }));

  it('are lines that begin with a date', () => {
    assert.deepEqual(moments(['401: [[ada]] came', 'no date', 'Later: 5', '402:x', ' 403 : [[b]]']), [
      { at: 'entries.0', years: [401, 401], links: ['mention ada entries.0'], timeOfDay: null },
      { at: 'entries.4', years: [403, 403], links: ['mention b entries.4'], timeOfDay: null },
    ]);
  });

  it('are maps with a date, or a beginning or an end, and what they refer to', () => {
    const entry = {
      when: 401,
      place: 'mill',
      participants: ['ada', 'bo'],
      note: 'with [[cy]]',
      more: { deep: ['[[dee]]'] },
      owner: 'eve',
      time_of_day: 'dawn',
    };
    assert.deepEqual(moments([entry, { day: '402' }, { text: 'none' }, 7]), [
      {
        at: 'entries.0.when',
        years: [401, 401],
        links: [
          'place mill entries.0.place',
          'present ada entries.0.participants.0',
          'present bo entries.0.participants.1',
          'mention cy entries.0.note',
          'mention dee entries.0.more.deep.0',
        ],
        timeOfDay: 'dawn',
      },
      { at: 'entries.1.day', years: [402, 402], links: [], timeOfDay: null },
    ]);
    assert.deepEqual(
      moments([{ start_date: 401, end_date: 403 }, { born: 405 }, { died: 406, time_of_day: 5 }]).map(
        ({ at, years }) => [at, years],
      ),
      [
        ['entries.0.start_date', [401, 403]],
        ['entries.1.born', [405, Number.POSITIVE_INFINITY]],
        ['entries.2.died', [Number.NEGATIVE_INFINITY, 406]],
      ],
    );
  });

  it('mean what their template says', () => {
    const frontmatter =
      'entries: [{ date: "", hero: "", foe: "" }]\nfield_config: { entries.hero: { reference_type: character, canon: participants }, entries.foe: { reference_type: beast } }';
    const [moment] = entityOf({ entries: [{ date: 401, hero: 'ada', foe: 'wolf' }] }, frontmatter).moments;
    assert.deepEqual(
      moment?.links.map(({ role, type, id }) => [role, type, id]),
      [
        ['present', 'character', 'ada'],
        ['mention', 'beast', 'wolf'],
      ],
    );
  });

  it('are nothing of an entity that is no canon, and none without a list', () => {
    assert.deepEqual(entityOf({ entries: '401: x' }).moments, []);
    const parsed = parseTemplate({
      path: '_Templates/Standard/A_TEMPLATE.md',
      text: '---\nentity_type: a\nx: 1\n---\n',
    });
    assert.ok(parsed.ok);
    const fields = { is_canon: false };
    assert.equal(canonEntityOf(parsed.template, { entity_id: 'a', name: 'A', fields }, read), null);
  });
});
