import { invalid } from '../../kit/errors.ts';

export interface FieldFilter {
  path: readonly string[];
  value: string;
}

const FORM = /^filter\[([^[\]]+)\]$/;
/** Each filter reads the row's JSON, and databases limit the depth of conditions. */
const MOST_FILTERS = 20;
const LONGEST_VALUE = 1000;
const DEEPEST_PATH = 20;

/**
 * Parses `filter[field]=value` and `filter[field.inner]=value`; a field given twice must have both values, as a list can.
 * 422 for a malformed name, which would otherwise silently filter nothing.
 */
export function filtersOf(rawQuery: Readonly<Record<string, unknown>>): FieldFilter[] {
  const names = Object.keys(rawQuery).filter((name) => name === 'filter' || name.startsWith('filter['));
  const filters = names.flatMap((name) => filtersNamed(name, [rawQuery[name]].flat()));
  if (filters.length > MOST_FILTERS)
    throw refusal('filter', `may stand ${MOST_FILTERS} times, not ${filters.length}`);
  return filters;
}

function filtersNamed(name: string, values: readonly unknown[]): FieldFilter[] {
  const path = FORM.exec(name)?.[1]?.split('.') ?? [];
  if (path.length === 0 || path.length > DEEPEST_PATH || path.includes(''))
    throw refusal(name, 'must have the form filter[field] or filter[field.inner]');
  return values.map((each) => {
    const value = String(each);
    if (value.length > LONGEST_VALUE) throw refusal(name, `must have ${LONGEST_VALUE} characters or fewer`);
    return { path, value };
  });
}

export function refusal(name: string, message: string) {
  const field = name.slice(0, 100);
  return invalid(`query parameter '${field}' ${message}`, {
    code: 'invalid_filter',
    errors: [{ field, message }],
  });
}
