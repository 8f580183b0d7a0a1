import type { Calls } from '../../../kit/host.ts';
import { proseIn } from '../../../kit/prose.ts';
import { readingMinutes, sizeOfText, together } from '../../../kit/words.ts';
import { type Field, fieldsOf, isFilled } from './fields.ts';
import { keepBest } from './ranking.ts';

type Entity = Calls['entities.get'][1];

export interface FieldTally extends Field {
  filled: number;
}

export interface TypeTally {
  type: string;
  label: string;
  /** The number of entries, and of those that have been read. */
  total: number;
  read: number;
  words: number;
  minutes: number;
  withText: number;
  fields: FieldTally[];
}

export interface RankedEntry {
  type: string;
  id: string;
  name: string;
  words: number;
  /** Of its fields and its text: how many have something in them. */
  filled: number;
  fields: number;
}

export interface Result {
  /** When it began. */
  at: string;
  /** False if it was stopped. */
  isWhole: boolean;
  types: TypeTally[];
  longest: RankedEntry[];
  emptiest: RankedEntry[];
}

/** Of each of the two lists. */
export const MOST_RANKED = 100;

export const newResult = (at: string): Result => ({
  at,
  isWhole: false,
  types: [],
  longest: [],
  emptiest: [],
});

export const newTally = (type: string, label: string, total: number, schema: unknown): TypeTally => ({
  type,
  label,
  total,
  read: 0,
  words: 0,
  minutes: 0,
  withText: 0,
  fields: fieldsOf(schema).map((field) => ({ ...field, filled: 0 })),
});

const isLonger = (one: RankedEntry, other: RankedEntry): boolean => one.words > other.words;

const shareOf = ({ filled, fields }: RankedEntry): number => filled / fields;

const isEmptier = (one: RankedEntry, other: RankedEntry): boolean =>
  shareOf(one) < shareOf(other) || (shareOf(one) === shareOf(other) && one.words < other.words);

export interface Reading {
  schema: unknown;
  wordsPerMinute: number;
}

/** Takes an entry into the tally of its type and into the lists. Nothing else of it is kept. */
export function addEntity(result: Result, tally: TypeTally, entity: Entity, reading: Reading): void {
  const { fields, markdown_body, entity_id, name } = entity;
  const body = sizeOfText(markdown_body);
  const size = proseIn(fields, reading.schema).map(sizeOfText).reduce(together, body);
  const hasText = body.words > 0;
  const filled = tally.fields.filter((field) => isFilled(fields[field.name]));
  for (const field of filled) field.filled += 1;
  tally.read += 1;
  tally.words += size.words;
  tally.minutes += readingMinutes(size, reading.wordsPerMinute);
  tally.withText += hasText ? 1 : 0;
  const entry: RankedEntry = {
    type: tally.type,
    id: entity_id,
    name,
    words: size.words,
    filled: filled.length + (hasText ? 1 : 0),
    fields: tally.fields.length + 1,
  };
  keepBest(result.longest, entry, MOST_RANKED, isLonger);
  keepBest(result.emptiest, entry, MOST_RANKED, isEmptier);
}

/** Of all fields in all entries that were read, or of the required ones; null where there are none. */
export function filledShare({ fields, read }: TypeTally, which: 'all' | 'required'): number | null {
  const counted = which === 'all' ? fields : fields.filter(({ isRequired }) => isRequired);
  if (counted.length === 0 || read === 0) return null;
  return counted.reduce((sum, { filled }) => sum + filled, 0) / (counted.length * read);
}

export interface HeatColumn {
  name: string;
  label: string;
}

/** The fields of all types, those that most types have first. */
export function heatColumns(types: readonly TypeTally[]): HeatColumn[] {
  const found = new Map<string, HeatColumn & { count: number }>();
  for (const { fields } of types)
    for (const { name, label } of fields) {
      const column = found.get(name) ?? { name, label, count: 0 };
      column.count += 1;
      found.set(name, column);
    }
  return [...found.values()]
    .sort((one, other) => other.count - one.count || one.label.localeCompare(other.label))
    .map(({ name, label }) => ({ name, label }));
}
