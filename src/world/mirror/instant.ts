import { isoTime } from '../../kit/clock.ts';
import { invalid } from '../../kit/errors.ts';

const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+ -]\d{2}:?\d{2})?)?$/;
const DATE_LENGTH = 'yyyy-mm-dd'.length;

/** A day that no month has, such as the 30th of February, would pass for one of the next month. */
const isDay = (date: string): boolean => {
  const time = Date.parse(date);
  return !Number.isNaN(time) && isoTime(time).startsWith(date);
};

/** The time that a caller named, as ISO in UTC. 422 for what is none. */
export function instantOf(given: string, field = 'since'): string {
  // A plus sign that was not escaped arrives as a space.
  const text = given.trim().replace(/ (\d{2}:?\d{2})$/, '+$1');
  const time = ISO.test(text) && isDay(text.slice(0, DATE_LENGTH)) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return isoTime(time);
  throw invalid(`${field} '${given}' is not an ISO 8601 time, such as 2026-03-02T10:15:00Z`, {
    code: `invalid_${field}`,
    errors: [{ field, message: 'must be an ISO 8601 time' }],
  });
}
