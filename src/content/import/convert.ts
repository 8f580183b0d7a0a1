import { checkFieldsForWrite } from '../entity/index.ts';
import { admitsOnlyOptions, type FieldDefinition, type TemplateDefinition } from '../template/index.ts';
import { soleLink } from './links.ts';
import type { Finder } from './targets.ts';
import { keyOf } from './words.ts';

/** `partly`: the field does not hold all of it, so the value itself must be kept too. */
export type Conversion =
  | { ok: true; value: unknown; partly: boolean; how: string; resolved: number; unresolved: UnresolvedText[] }
  | { ok: false; reason: string };

export interface UnresolvedText {
  text: string;
  reason: string;
}

type Result = { value: unknown; partly?: boolean; how?: string } | { reason: string };

interface Work {
  finder: Finder;
  resolved: number;
  unresolved: UnresolvedText[];
}

const YEAR_OF_DATE = /^([+-]?\d{1,6})-\d{1,2}(?:-\d{1,2})?(?:[T ][\d:.Z+-]*)?$/;
const YES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);
/** Each joins the entries to the same text again. */
const SEPARATORS = ['\n', '; ', ';', ' | ', '|', ', ', ','];

/** Only if nothing is lost. */
export function convertValue(
  template: TemplateDefinition,
  field: FieldDefinition,
  value: unknown,
  finder: Finder,
): Conversion {
  const work: Work = { finder, resolved: 0, unresolved: [] };
  const result = field.type === 'array' ? toList(field, value, work) : toOne(field, value, work);
  if ('reason' in result) return { ok: false, reason: result.reason };
  const [problem] = checkFieldsForWrite(template, { [field.name]: result.value });
  if (problem) return { ok: false, reason: `${problem.field} ${problem.message}` };
  const { resolved, unresolved } = work;
  return {
    ok: true,
    value: result.value,
    partly: result.partly ?? false,
    how: result.how ?? '',
    resolved,
    unresolved,
  };
}

function toList(field: FieldDefinition, value: unknown, work: Work): Result {
  if (value === null) return { value };
  const isTags = keyOf(field.name) === 'tags';
  const list = Array.isArray(value) ? value : typeof value === 'string' ? split(value, isTags) : [value];
  const entries = list.map((entry) => toEntry(field, isTags ? bareTag(entry) : entry, work));
  const refused = entries.find((entry) => 'reason' in entry);
  if (refused && 'reason' in refused) return refused;
  const taken = entries as { value: unknown; partly?: boolean }[];
  return {
    value: taken.map((entry) => entry.value),
    partly: taken.some((entry) => entry.partly === true),
    ...(Array.isArray(value) ? {} : { how: 'as a list' }),
  };
}

function split(text: string, isTags: boolean): string[] {
  const separator =
    SEPARATORS.find((each) => text.includes(each)) ?? (isTags && text.includes(' ') ? ' ' : undefined);
  if (separator === undefined) return [text];
  const parts = text.split(separator);
  return parts.some((part) => part.trim() === '') ? [text] : parts;
}

const bareTag = (entry: unknown): unknown => (typeof entry === 'string' ? entry.replace(/^#/, '') : entry);

function toEntry(field: FieldDefinition, entry: unknown, work: Work): Result {
  if (field.reference_type !== undefined && typeof entry === 'string')
    return toReference(entry, field.reference_type, work);
  if (field.items === 'string' && (typeof entry === 'number' || typeof entry === 'boolean'))
    return { value: String(entry) };
  if (field.items === 'number' && typeof entry === 'string') return toNumber(field, entry);
  return { value: entry };
}

function toOne(field: FieldDefinition, given: unknown, work: Work): Result {
  if (given === null) return { value: given };
  const value = Array.isArray(given) && given.length === 1 && field.type !== 'object' ? given[0] : given;
  if (field.reference_type !== undefined && typeof value === 'string')
    return toReference(value, field.reference_type, work);
  if (field.type === 'number' && typeof value === 'string') return toNumber(field, value);
  if (field.type === 'boolean') return toBoolean(value);
  if (field.type === 'string') return toText(field, value);
  return { value };
}

function toNumber(field: FieldDefinition, text: string): Result {
  const number = Number(text);
  if (text.trim() !== '' && String(number) === text.trim()) return { value: number, how: 'as a number' };
  const year = YEAR_OF_DATE.exec(text.trim())?.[1];
  if (year !== undefined && isYear(field))
    return { value: Number(year), partly: true, how: 'the year of the date' };
  return { reason: `${field.name} takes a number, and ${JSON.stringify(text.slice(0, 60))} is none` };
}

const isYear = (field: FieldDefinition): boolean =>
  field.widget === 'year' || /(^|_)year$/.test(keyOf(field.name));

function toBoolean(value: unknown): Result {
  if (typeof value === 'boolean') return { value };
  const meant = typeof value === 'string' ? YES.get(value.trim().toLowerCase()) : undefined;
  if (meant === undefined) return { reason: 'the field takes true or false' };
  return { value: meant, how: `${String(value).trim()} is ${meant}` };
}

function toText(field: FieldDefinition, value: unknown): Result {
  if (typeof value === 'number' || typeof value === 'boolean')
    return { value: String(value), how: 'as text' };
  if (typeof value !== 'string') return { reason: `${field.name} takes text` };
  const meant = optionOf(field, value);
  if (meant !== undefined) return meant === value ? { value } : { value: meant, how: `the option ${meant}` };
  return admitsOnlyOptions(field) && value !== ''
    ? { reason: `${field.name} takes its options only` }
    : { value };
}

function optionOf(field: FieldDefinition, value: string): string | undefined {
  const options = field.options?.filter((option) => typeof option.value === 'string') ?? [];
  const exact = options.find((option) => option.value === value);
  const key = keyOf(value);
  const found =
    exact ?? options.find((option) => keyOf(String(option.value)) === key || keyOf(option.label) === key);
  return found?.value as string | undefined;
}

/** Text that names nothing known stays as it is. */
function toReference(text: string, type: string, work: Work): Result {
  const link = soleLink(text);
  const found = work.finder.find(link?.target ?? text, type);
  if (found !== undefined && found !== 'ambiguous') {
    work.resolved += 1;
    const says = link !== undefined && (link.anchor !== '' || (link.label ?? link.target) !== link.target);
    return { value: found.entity_id, partly: says, how: 'as a reference' };
  }
  if (text.trim() !== '') {
    const reason = found === 'ambiguous' ? `several entities have this name` : `no ${type} has this name`;
    work.unresolved.push({ text, reason });
  }
  return { value: text };
}
