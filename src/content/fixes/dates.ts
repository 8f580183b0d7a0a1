import { isMap } from '../../text/json.ts';
import type { FieldDefinition } from '../template/index.ts';
import { readDate } from './iso-date.ts';
import type { Path, Proposal, Subject } from './types.ts';

/** About the file, whatever the story's calendar. */
const FILE_DATES = ['created_date', 'last_updated'] as const;

/** Only dates that can mean one day are rewritten as ISO 8601. */
export function proposeDates({ template, document, content, options }: Subject): Proposal[] {
  const proposals: Proposal[] = [];
  const read = (path: Path, value: unknown) => {
    const reading = typeof value === 'string' ? readDate(value) : null;
    if (reading === null) return;
    proposals.push(
      'iso' in reading
        ? { kind: 'date', path, action: 'set', value: reading.iso, reason: 'a date in another form' }
        : { kind: 'date', path, action: 'refuse', reason: reading.reason },
    );
  };
  for (const key of FILE_DATES) read([key], document.data[key]);
  if (options.hasRealCalendar) walk(template.fields, content.own_fields, [], read);
  return proposals;
}

const isDate = ({ widget, declared_type }: FieldDefinition): boolean =>
  widget === 'date' || declared_type === 'date';

function walk(
  fields: readonly FieldDefinition[],
  values: Readonly<Record<string, unknown>>,
  above: Path,
  read: (path: Path, value: unknown) => void,
): void {
  for (const field of fields) {
    if (!Object.hasOwn(values, field.name)) continue;
    const path = [...above, field.name];
    const value = values[field.name];
    const places = Array.isArray(value)
      ? value.map((entry: unknown, index) => ({ path: [...path, index], value: entry }))
      : [{ path, value }];
    for (const place of places) {
      if (isDate(field)) read(place.path, place.value);
      if (field.properties && isMap(place.value)) walk(field.properties, place.value, place.path, read);
    }
  }
}
