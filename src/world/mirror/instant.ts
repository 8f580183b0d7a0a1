import { isoTime } from '../../kit/clock.ts';
import { invalid } from '../../kit/errors.ts';

const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+ -]\d{2}:?\d{2})?)?$/;
const DATE_LENGTH = 'yyyy-mm-dd'.length;

/** Without this check, an impossible day such as 30 February would count as one of the next month. */
const isDay = (date: string): boolean => {
  const time = Date.parse(date);
  return !Number.isNaN(time) && isoTime(time).startsWith(date);
};

/** Parses a caller's time to ISO in UTC. Throws 422 for an invalid one. */
export function instantOf(given: string, field = 'since'): string {
  // An unescaped plus sign arrives as a space.
  const text = given.trim().replace(/ (\d{2}:?\d{2})$/, '+$1');
  const time = ISO.test(text) && isDay(text.slice(0, DATE_LENGTH)) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return isoTime(time);
  throw invalid(`${field} '${given}' is not an ISO 8601 time, such as 2026-03-02T10:15:00Z`, {
    code: `invalid_${field}`,
    errors: [{ field, message: 'must be an ISO 8601 time' }],
  });
}
