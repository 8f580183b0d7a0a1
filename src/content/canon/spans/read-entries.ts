import { isMap } from '../../../text/json.ts';
import type { FieldDefinition } from '../../template/index.ts';
import type { DateReader, DateReading } from '../calendar/index.ts';
import type { Link, LinkRole, Moment, Path, UnreadableDate } from '../model.ts';
import { type KnownRole, roleOf } from './roles.ts';
import { mentionsIn, targetsOf } from './targets.ts';

const MOST_ENTRIES = 5000;
const LINE = /^([^:[\n]{1,60}):(?:\s|$)/;
const LINKING: ReadonlySet<string> = new Set(['present', 'place', 'origin', 'mention']);

export interface ReadEntries {
  moments: Moment[];
  unreadable: UnreadableDate[];
}

/** Lines that begin with `date:`, or maps with a date and references. */
export function readEntries(
  value: unknown,
  field: FieldDefinition | undefined,
  path: Path,
  read: DateReader,
): ReadEntries {
  const found: ReadEntries = { moments: [], unreadable: [] };
  if (!Array.isArray(value)) return found;
  for (const [index, entry] of value.slice(0, MOST_ENTRIES).entries()) {
    const at = [...path, index];
    if (typeof entry === 'string') readLine(found, entry, at, read);
    else if (isMap(entry)) readMap(found, entry, field, at, read);
  }
  return found;
}

function readLine(found: ReadEntries, text: string, path: Path, read: DateReader): void {
  const date = LINE.exec(text)?.[1]?.trim();
  // Words before a colon may be anything; with a number among them they are meant as a date.
  if (date === undefined || !/\d/.test(date)) return;
  take(found, read(date), path, text, { links: mentionsIn(text, path), timeOfDay: null });
}

function take(
  found: ReadEntries,
  reading: DateReading,
  path: Path,
  value: unknown,
  rest: Omit<Moment, 'mark'>,
): void {
  if (reading.kind === 'unreadable') found.unreadable.push({ path, value, reason: reading.reason });
  if (reading.kind === 'date') found.moments.push({ mark: { path, value, days: reading.days }, ...rest });
}

function readMap(
  found: ReadEntries,
  entry: Record<string, unknown>,
  field: FieldDefinition | undefined,
  path: Path,
  read: DateReader,
): void {
  const parts = Object.entries(entry).map(([key, value]) => {
    const property = field?.properties?.find(({ name }) => name === key);
    return { key, value, property, role: roleOf(key, property, '')?.role ?? null };
  });
  const partWith = (...roles: KnownRole['role'][]) => parts.find(({ role }) => role && roles.includes(role));
  const date = partWith('date') ?? parts.find(({ key }) => key === 'when' || key === 'day');
  const start = partWith('start', 'birth');
  const end = partWith('end', 'death');
  const dated = date ?? start ?? end;
  if (dated === undefined) return;
  const reading = read(date ? date.value : { start: start?.value, end: end?.value });
  const links = parts.flatMap(({ key, value, property, role }) =>
    linksOfPart(value, property, role, [...path, key]),
  );
  const time = partWith('time_of_day')?.value;
  take(found, reading, [...path, dated.key], dated.value, {
    links,
    timeOfDay: typeof time === 'string' ? time : null,
  });
}

function linksOfPart(
  value: unknown,
  property: FieldDefinition | undefined,
  role: string | null,
  path: Path,
): Link[] {
  const type = property?.reference_type ?? null;
  if (role !== null && LINKING.has(role)) return targetsOf(value, role as LinkRole, type, path);
  return type === null ? mentionsIn(value, path) : targetsOf(value, 'mention', type, path);
}
