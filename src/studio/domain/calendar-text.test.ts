import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { dateReader, declaredCalendar, REAL_CALENDAR } from '../../content/canon/calendar/index.ts';
import { dayOfNumber, numberOfDay } from './calendar-day.ts';
import { steppedText, understoodText } from './calendar-text.ts';

const { calendar: count } = declaredCalendar({
  name: 'the Count',
  eras: [
    { name: 'After the Flood', abbreviation: 'AF' },
    { name: 'Before the Flood', abbreviation: 'BF', counts: 'backwards' },
  ],
  months: [
    { name: 'Thaw', days: 40 },
    { name: 'High Summer', days: 30 },
    { name: 'Harvest', days: 30 },
  ],
});

const texts = {
  day: (date: string, number: number, calendar: string) => `${date}, day ${number} of ${calendar}`,
  range: (first: string, last: string) => `${first} to ${last}`,
  since: (first: string) => `since ${first}`,
  until: (last: string) => `until ${last}`,
  unreadable: (reason: string) => reason,
};

const understood = (text: string, calendar = count): string => {
  const reading = dateReader(calendar)(text);
  return reading.kind === 'date' ? understoodText(calendar, reading.days, texts) : reading.kind;
};

test('a number of a day is a day of the calendar, and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.boolean(), (number, isReal) => {
      const calendar = isReal ? REAL_CALENDAR : count;
      assert.equal(numberOfDay(calendar, dayOfNumber(calendar, number)), number);
    }),
  );
});

describe('what was understood', () => {
  for (const [text, meaning] of [
    ['12 Thaw 401', '12 Thaw 401, day 40012 of the Count'],
    ['0401-02-03', '3 High Summer 401, day 40043 of the Count'],
    ['Harvest 401', 'Harvest 401'],
    ['401', '401'],
    ['380 to 390', '380 to 390'],
    ['12 BF', '12 Before the Flood'],
    ['since 12 Thaw 401', 'since 12 Thaw 401'],
    ['until 12 Thaw 401', 'until 12 Thaw 401'],
    ['unknown', 'none'],
    ['the day it rained', 'unreadable'],
  ] as const)
    test(text, () => assert.equal(understood(text), meaning));
  test('in the real calendar', () =>
    assert.match(understood('2024-02-29', REAL_CALENDAR), /^29 February 2024/));
});

describe('steps keep the style of the text', () => {
  for (const [text, unit, by, expected] of [
    ['401', 'day', 1, '402'],
    ['401', 'month', -1, '400'],
    ['40 Thaw 401', 'day', 1, '1 High Summer 401'],
    ['1 Thaw 401', 'day', -1, '30 Harvest 400'],
    ['40 Thaw 401', 'month', 1, '30 High Summer 401'],
    ['12 Thaw 401', 'year', 1, '12 Thaw 402'],
    ['Harvest 401', 'day', 1, 'Thaw 402'],
    ['0401-03-30', 'day', 1, '0402-01-01'],
    ['0401-03', 'month', 1, '0402-01'],
    ['12 Thaw 401 A.F.', 'year', -1, '12 Thaw 400 A.F.'],
    ['12 BF', 'year', 1, '11 BF'],
    ['1 BF', 'year', 1, undefined],
    ['380 to 390', 'year', 1, undefined],
    ['sometime', 'day', 1, undefined],
    ['', 'day', 1, undefined],
  ] as const)
    test(`${text} ${by > 0 ? '+' : ''}${by} ${unit}`, () =>
      assert.equal(steppedText(count, text, { unit, by }), expected));
  test('over a leap day', () => {
    assert.equal(steppedText(REAL_CALENDAR, '2024-02-28', { unit: 'day', by: 1 }), '2024-02-29');
    assert.equal(steppedText(REAL_CALENDAR, '2024-02-29', { unit: 'year', by: 1 }), '2025-02-28');
  });
});
