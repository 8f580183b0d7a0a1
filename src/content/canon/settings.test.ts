import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CANON_SETTINGS_PATH,
  DEFAULT_CANON_SETTINGS,
  dateReader,
  declaredCalendar,
  FINDING_KINDS,
  REAL_CALENDAR,
  readCanonSettings,
} from './index.ts';

describe('settings of the canon', () => {
  it('are none where nothing is said', () => {
    assert.equal(CANON_SETTINGS_PATH, '_Rules/canon.md');
    for (const data of [{}, { calendar: null, checks: null, accepted: null }])
      assert.deepEqual(readCanonSettings(data), { settings: DEFAULT_CANON_SETTINGS, problems: [] });
  });

  it('switch checks off and accept findings, with a reason', () => {
    const calendar = { name: 'Of Ash', months: [30] };
    const { settings, problems } = readCanonSettings({
      calendar,
      checks: {
        lineage: false,
        two_places: { enabled: true, reason: 'R' },
        out_of_order: { enabled: false, reason: 5 },
      },
      accepted: ['f1', { finding_id: 'f2', reason: 'why' }, { finding_id: 'f3', reason: 5 }],
    });
    assert.deepEqual(problems, []);
    assert.deepEqual([settings.declared, settings.calendar.name], [calendar, 'Of Ash']);
    assert.deepEqual(settings.checks, {
      lineage: { enabled: false, reason: '' },
      two_places: { enabled: true, reason: 'R' },
      out_of_order: { enabled: false, reason: '' },
    });
    assert.deepEqual(settings.accepted, [
      { finding_id: 'f1', reason: '' },
      { finding_id: 'f2', reason: 'why' },
      { finding_id: 'f3', reason: '' },
    ]);
  });

  it('that cannot be used are told by place and line', () => {
    const { settings, problems } = readCanonSettings(
      {
        calendar: { months: ['x'] },
        checks: { toString: false, lineage: 'no', two_places: { enabled: 'yes' } },
        accepted: ['', 5, { reason: 'x' }, 'f'],
      },
      (path) => path.length,
    );
    const known = Object.keys(FINDING_KINDS).join(', ');
    const accepted = 'an accepted finding has a finding_id, as text, and a reason';
    assert.deepEqual(
      problems.map(({ field, line, message }) => [field, line, message]),
      [
        ['calendar.months.0', 3, 'month 1 must say how many days it has'],
        ['checks.toString', 2, `there is no check 'toString': known are ${known}`],
        ['checks.lineage', 2, 'the check lineage must say whether it is enabled'],
        ['checks.two_places', 2, 'the check two_places must say whether it is enabled'],
        ['accepted.0', 2, accepted],
        ['accepted.1', 2, accepted],
        ['accepted.2', 2, accepted],
      ],
    );
    assert.deepEqual([settings.checks, settings.accepted], [{}, [{ finding_id: 'f', reason: '' }]]);
    assert.deepEqual(readCanonSettings({ checks: [], accepted: {}, calendar: 5 }).problems, [
      {
        field: 'calendar',
        message: 'the calendar must be a map with eras, months, leap and week_days; the real one is used',
        line: null,
      },
      { field: 'checks', message: 'checks must map kinds of findings to `{enabled, reason}`', line: null },
      { field: 'accepted', message: 'accepted must be a list of `{finding_id, reason}`', line: null },
    ]);
  });
});

describe('a declared calendar', () => {
  const messages = (value: unknown) =>
    declaredCalendar(value).problems.map(({ path, message }) => `${path.join('.')} ${message}`);

  it('takes names, short names and limits as they are written', () => {
    const months = [30, { days: 10_000, name: 'B.', abbreviations: ['b', 'Bee', 5], abbreviation: 'x' }];
    const { calendar, problems } = declaredCalendar({
      name: '',
      months,
      leap: { every: 4, days: 1_000, except: 1_000_000, unless: null },
      week_days: ['Mon. '],
      eras: [{ name: ' New  Age ', starts: -5 }],
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(calendar, {
      name: REAL_CALENDAR.name,
      months: [
        { name: 'month 1', words: ['month 1'], days: 30 },
        { name: 'B.', words: ['b', 'x', 'bee'], days: 10_000 },
      ],
      leap: { every: 4, except: 1_000_000, unless: null, month: 1, days: 1_000 },
      weekDays: ['mon'],
      eras: [{ name: ' New  Age ', words: ['new age'], starts: -5, backwards: false }],
    });
    assert.deepEqual(messages({ months: Array(100).fill(1) }), []);
    assert.deepEqual(declaredCalendar({ leap: { every: 4, month: 'feb.' } }).calendar.leap?.month, 1);
    for (const leap of [false, 'none', null])
      assert.deepEqual([declaredCalendar({ leap }).calendar.leap, messages({ leap })], [null, []]);
    assert.equal(declaredCalendar({ months: [30] }).calendar.leap, null);
    assert.equal(declaredCalendar({ eras: [{ name: 'A' }] }).calendar.leap, REAL_CALENDAR.leap);
  });

  it('says what of it cannot be used', () => {
    for (const months of [[], Array(101).fill(1), 'x'])
      assert.deepEqual(messages({ months }), ['months months must be a list of 1 to 100 entries']);
    for (const days of [10_001, 0.5, 0, '30'])
      assert.deepEqual(messages({ months: [30, days] }), ['months.1 month 2 must say how many days it has']);
    assert.deepEqual(
      messages({ eras: [{ name: ' ' }, { name: 'A', starts: 1.5 }, { name: 'B', counts: 'x' }] }),
      [
        'eras.0 an era must have a name',
        'eras.1 the era A must start in a whole year (starts)',
        'eras.2 the era B counts either forwards or backwards',
      ],
    );
    assert.deepEqual(messages({ eras: Array(51).fill({ name: 'A' }) }).length, 1);
    assert.deepEqual(messages({ week_days: ['Mon', '.', 5] }), [
      'week_days.1 a day of the week is a name',
      'week_days.2 a day of the week is a name',
    ]);
    const wrong = [
      ...[5, { every: 1_000_001 }, { every: 0 }, { every: 4, month: 'Nope' }, { every: 4, month: 13 }],
      ...[
        { every: 4, month: 0 },
        { every: 4, days: 1_001 },
        { every: 4, days: 0 },
        { every: 4, except: 0 },
      ],
      { every: 4, unless: 'x' },
    ];
    for (const leap of wrong)
      assert.deepEqual(messages({ leap }), [
        'leap leap must be `none` or say every (years), and may say except, unless, month and days',
      ]);
  });
});

describe('words of dates', () => {
  const read = dateReader(REAL_CALENDAR);

  it('are the names of months and days, short and long', () => {
    const months = 'January February March April May June July August September October November December';
    for (const [index, name] of months.split(' ').entries()) {
      const day = read({ year: 401, month: index + 1, day: 2 });
      for (const word of [name, name.slice(0, 3), `${name.slice(0, 3)}.`])
        assert.deepEqual(read(`2 ${word} 401`), day, word);
    }
    assert.deepEqual(read('2 Sept. 401'), read('0401-09-02'));
    for (const day of 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' '))
      assert.deepEqual(read(`on ${day}, the 2nd day of March in the year 401`), read('0401-03-02'), day);
    for (const era of ['AD', 'Anno Domini', 'CE', 'Common Era'])
      assert.deepEqual(read(`401 ${era}`), read(401));
    for (const era of ['BC', 'BCE', 'Before Christ', 'before common era'])
      assert.deepEqual(read(`44 ${era}`), read(-44));
    for (const part of [
      'early',
      'mid',
      'late',
      'start of',
      'beginning of',
      'end of',
      'spring',
      'summer of',
      'fall',
    ])
      assert.deepEqual(read(`${part} 401`), read(401), part);
    assert.deepEqual(read('mid-401'), read(401));
    const lengths = months.split(' ').map((name) => {
      const reading = read(`${name} 401`);
      return reading.kind === 'date' ? reading.days.last - reading.days.first + 1 : 0;
    });
    assert.deepEqual(lengths, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
  });

  it('that cannot be a date are answered', () => {
    const reasons: [text: unknown, reason: string][] = [
      ['0 BC', 'there is no year 0 in an era'],
      ['-44 BC', 'a year of an era is not negative'],
      ['0th century', 'there is no such century'],
      ['0 November 401', 'days count from 1'],
      ['31 sept 401', 'September has 30 days'],
      ['9 November', 'it may be a day without a year; write the year with four digits'],
      ['November', 'it names no year'],
      ['1 2 3 November', 'it holds too many numbers'],
      ['1 great November', 'beside the month stand more than numbers'],
      ['1-2-3', 'it does not say which number is the year; write year-month-day with four digits first'],
      ['0000-05-05', 'the year is missing'],
      ['401-13', 'the year has 12 months'],
      ['402 to 401', 'its end lies before its beginning'],
      ['a'.repeat(101), 'it is too long for a date'],
      ['a'.repeat(100), 'it names no year, and no month of the calendar'],
      [4.5, 'a year is whole'],
      [true, 'it is no date'],
    ];
    for (const [value, reason] of reasons) assert.deepEqual(read(value), { kind: 'unreadable', reason });
  });
});
