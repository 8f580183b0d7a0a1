import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuTimeSince } from '../../../../test/support/cpu-time.ts';
import fc from '../../../../test/support/properties.ts';
import { type Calendar, dateReader, declaredCalendar, isBefore, REAL_CALENDAR } from './index.ts';

const real = dateReader(REAL_CALENDAR);
const day = (iso: string): number =>
  (Date.parse(`${iso}T00:00:00Z`) - Date.parse('0001-01-01T00:00:00Z')) / 86_400_000 + 1;
const range = (read: (value: unknown) => unknown, value: unknown): [number, number] => {
  const reading = read(value) as { kind: string; days: { first: number; last: number }; reason?: string };
  assert.equal(reading.kind, 'date', `${JSON.stringify(value)}: ${reading.reason ?? reading.kind}`);
  return [reading.days.first, reading.days.last];
};
const reads = (value: unknown, first: string, last: string): void =>
  assert.deepEqual(range(real, value), [day(first), day(last)], JSON.stringify(value));
const reasonOf = (value: unknown, read = real): string => {
  const reading = read(value);
  assert.equal(reading.kind, 'unreadable', JSON.stringify([value, reading]));
  return reading.kind === 'unreadable' ? reading.reason : '';
};

const THAW_AND_HARVEST = {
  name: 'Count of Ash',
  eras: [
    { name: 'After the Flood', abbreviation: 'A.F.' },
    { name: 'Before the Flood', abbreviation: 'BF', counts: 'backwards' },
    { name: 'Third Age', abbreviation: 'TA', starts: 301 },
  ],
  months: [
    { name: 'Thaw', days: 40 },
    { name: 'High Summer', days: 30 },
    { name: 'Harvest', days: 30 },
  ],
  week_days: ['Ashday', 'Moonday'],
};
const made = (value: unknown): Calendar => {
  const { calendar, problems } = declaredCalendar(value);
  assert.deepEqual(problems, []);
  return calendar;
};

describe('dates of the real calendar', () => {
  test('are years, months and days as writers write them', () => {
    reads(392, '0392-01-01', '0392-12-31');
    for (const year of [
      '392',
      'AD 392',
      '392 CE',
      '392AD',
      'the year 392',
      'Anno Domini 392',
      '0392',
      '+392',
    ]) {
      reads(year, '0392-01-01', '0392-12-31');
    }
    for (const month of ['401-03', '0401-03', 'March 401', 'in Mar. 401', '401 march']) {
      reads(month, '0401-03-01', '0401-03-31');
    }
    for (const one of [
      '0401-11-09',
      '401/11/9',
      '9 November 401',
      'November 9, 401',
      '9th of Nov 401',
      '401 November 9',
      'Tuesday, the 9th day of November, 401 AD',
      '0401-11-09T23:45:00Z',
      '9. November 401',
    ]) {
      reads(one, '0401-11-09', '0401-11-09');
    }
    reads({ year: 401, month: 11, day: 9 }, '0401-11-09', '0401-11-09');
    reads({ year: 401, month: 'November', day: 9 }, '0401-11-09', '0401-11-09');
    reads({ year: 401 }, '0401-01-01', '0401-12-31');
    reads('2024-02', '2024-02-01', '2024-02-29');
  });

  test('before the common era count backwards, without a year 0', () => {
    const [first, last] = range(real, '44 BC');
    for (const same of ['44 B.C.', 'bc 44', '44 BCE', -44, '-44'])
      assert.deepEqual(range(real, same), [first, last]);
    const [firstOfOne, lastOfOne] = range(real, '1 BC');
    assert.deepEqual([lastOfOne, range(real, 1)[0]], [0, 1]);
    assert.equal(firstOfOne, -365, 'the year before year 1 is a leap year');
    const ides = range(real, '15 March 44 BC');
    assert.ok(ides[0] > first && ides[1] < last);
    assert.deepEqual(range(real, '5th century BC'), [range(real, '500 BC')[0], range(real, '401 BC')[1]]);
  });

  test('may be ranges and open at an end', () => {
    for (const both of [
      '390–392',
      '390-392',
      '390 to 392',
      'from 390 to 392',
      'between 390 and 392',
      '390 – 392',
      '390..392',
      '390/392',
      '390–92',
      { start: 390, end: 392 },
      { from: '390', to: '392' },
    ]) {
      reads(both, '0390-01-01', '0392-12-31');
    }
    reads('3–5 November 401', '0401-11-03', '0401-11-05');
    reads('March to May 401', '0401-03-01', '0401-05-31');
    reads('0401-11-03/0401-11-05', '0401-11-03', '0401-11-05');
    for (const since of ['since 401', 'from 401', '401 –', '401-', '401 onwards', { start: 401 }]) {
      assert.deepEqual(range(real, since), [day('0401-01-01'), Infinity]);
    }
    for (const until of ['until 401', 'up to 401', '– 401']) {
      assert.deepEqual(range(real, until), [-Infinity, day('0401-12-31')]);
    }
    assert.deepEqual(range(real, 'before 401'), [-Infinity, day('0400-12-31')]);
    assert.deepEqual(range(real, 'after 401'), [day('0402-01-01'), Infinity]);
    assert.deepEqual(range(real, '44–30 BC'), [range(real, '44 BC')[0], range(real, '30 BC')[1]]);
  });

  test('may be vague, and are then as wide as they might be meant', () => {
    reads('1920s', '1920-01-01', '1929-12-31');
    reads('the 5th century', '0401-01-01', '0500-12-31');
    reads('late 401', '0401-01-01', '0401-12-31');
    const [first, last] = range(real, 'winter 401');
    assert.ok(first === day('0401-01-01') && last > day('0402-02-28'));
    for (const about of ['c. 401', 'circa 401', 'about 401', '~401', 'ca 401']) {
      const [from, to] = range(real, about);
      assert.ok(from < day('0392-01-10') && to > day('0411-12-01'), about);
    }
  });

  test('say nothing where nothing is known', () => {
    for (const none of [
      null,
      undefined,
      '',
      0,
      '0',
      '0000',
      '0000-00-00',
      'unknown',
      '?',
      '[Day in the story]',
      [],
      {},
    ]) {
      assert.deepEqual(real(none), { kind: 'none' }, JSON.stringify(none));
    }
    reads('0401-00-00', '0401-01-01', '0401-12-31');
    reads('0401-11-00', '0401-11-01', '0401-11-30');
  });

  test('that cannot be read say why, and nothing is guessed', () => {
    assert.match(reasonOf('0401-13-01'), /12 months/);
    assert.match(reasonOf('31 April 401'), /April has 30 days/);
    assert.match(reasonOf('0401-02-29'), /28 days/);
    assert.match(reasonOf('11/9/401'), /year/);
    assert.match(reasonOf('November 9'), /four digits/);
    assert.match(reasonOf('9 November'), /without a year/);
    assert.match(reasonOf('November 9–12, 401'), /./);
    assert.match(reasonOf('402 to 401'), /end lies before/);
    for (const odd of [
      'the day the music died',
      '401.5',
      4.5,
      true,
      ['401'],
      'x'.repeat(5000),
      'November',
      '1 2 3 November',
      'year 0 BC',
      '99999999999',
    ]) {
      reasonOf(odd);
    }
  });
});

describe('a calendar that a project declares', () => {
  const read = dateReader(made(THAW_AND_HARVEST));

  test('counts its months, days and eras', () => {
    assert.deepEqual(range(read, 1), [1, 100]);
    assert.deepEqual(range(read, '3rd of Harvest 401'), [400 * 100 + 73, 400 * 100 + 73]);
    assert.deepEqual(range(read, '401-03-03'), range(read, 'Moonday, Harvest 3, 401 AF'));
    assert.deepEqual(range(read, 'High Summer 2 A.F.'), [141, 170]);
    assert.deepEqual(range(read, '1 BF'), [-99, 0]);
    assert.deepEqual(range(read, -1), range(read, '1 before the flood'));
    assert.deepEqual(range(read, '1 TA'), range(read, '301 AF'));
    assert.match(reasonOf('31 Harvest 12 TA', read), /Harvest has 30 days/);
    assert.match(reasonOf('3 November 401', read), /no month of the calendar/);
    assert.match(reasonOf('401-04-01', read), /3 months/);
  });

  test('has leap days by a simple rule', () => {
    const leap = made({ ...THAW_AND_HARVEST, leap: { every: 5, month: 'Thaw', days: 2 } });
    const dates = dateReader(leap);
    assert.deepEqual(range(dates, 5), [401, 502]);
    assert.deepEqual(range(dates, '42 Thaw 5'), [442, 442]);
    assert.match(reasonOf('42 Thaw 6', dates), /40 days/);
    const none = dateReader(made({ leap: 'none' }));
    assert.match(reasonOf('0400-02-29', none), /28 days/);
  });

  test('is used as far as it can be, and the rest is reported with its place', () => {
    const { calendar, problems } = declaredCalendar({
      months: [{ name: 'Thaw' }],
      eras: [{ name: 'X', counts: 'sideways' }, {}],
      leap: { every: 0 },
      week_days: 'Monday',
    });
    assert.deepEqual(calendar.months, REAL_CALENDAR.months);
    assert.deepEqual(
      problems.map(({ path }) => path.join('.')),
      ['months.0', 'week_days', 'eras.0', 'eras.1', 'leap'],
    );
    assert.equal(declaredCalendar('Gregorian').problems.length, 1);
    assert.equal(declaredCalendar(null).calendar, REAL_CALENDAR);
  });
});

const calendars = fc.constantFrom(
  REAL_CALENDAR,
  made(THAW_AND_HARVEST),
  made({ ...THAW_AND_HARVEST, leap: { every: 4, except: 12 } }),
);
const moment = fc.record({
  year: fc.integer({ min: -3000, max: 3000 }).filter((year) => year !== 0),
  month: fc.integer({ min: 1, max: 3 }),
  day: fc.integer({ min: 1, max: 28 }),
});

describe('any date', () => {
  test('lies in its month and year, and later ones are later', () => {
    fc.assert(
      fc.property(calendars, moment, moment, (calendar, one, other) => {
        const read = dateReader(calendar);
        const at = ({ year, month, day: on }: typeof one) => range(read, { year, month, day: on });
        const [from, to] = range(read, one.year);
        const [first, last] = at(one);
        assert.ok(first === last && from <= first && last <= to);
        const key = ({ year, month, day: on }: typeof one) => year * 10_000 + month * 100 + on;
        const [second] = at(other);
        assert.equal(Math.sign(first - second), Math.sign(key(one) - key(other)));
        assert.equal(range(read, one.year + (one.year === -1 ? 2 : 1))[0], to + 1);
        assert.equal(isBefore({ first, last }, { first: second, last: second }), first < second);
      }),
    );
  });

  test('no text makes the reader fail or take long', () => {
    const words = fc.constantFrom(
      '401',
      '9',
      'bc',
      'november',
      '–',
      '-',
      'to',
      'since',
      'of',
      ',',
      'c.',
      'between',
      'and',
      '/',
      ' ',
      '44',
      'century',
      '0s',
      'ad',
      '[',
      '.',
    );
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, (value) => {
        const started = process.cpuUsage();
        const reading = real(value);
        if (reading.kind === 'date') assert.ok(reading.days.first <= reading.days.last);
        assert.ok(cpuTimeSince(started) < 200);
      }),
      { numRuns: 2000 },
    );
  });
});
