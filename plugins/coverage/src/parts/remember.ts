import type { Panel } from '../../../kit/host.ts';
import { recordIdOf } from '../../../kit/record-id.ts';
import type { FieldTally, RankedEntry, Result, TypeTally } from './tally.ts';

type Call = Panel['call'];

const PLACE = { record_type: 'results', record_id: recordIdOf('last') };
/** A record may have 64 kB. */
const LARGEST = 60_000;
/** Another form of what is stored is not read. */
const FORMAT = 1;

const bytesOf = (data: unknown): number => new TextEncoder().encode(JSON.stringify(data)).length;

/** With as many ranked entries as there is room for; null if there is too little even without them. */
export function packed(result: Result): Record<string, unknown> | null {
  for (let most = result.longest.length; ; most = Math.floor(most / 2)) {
    const { longest, emptiest } = result;
    const data = {
      format: FORMAT,
      ...result,
      longest: longest.slice(0, most),
      emptiest: emptiest.slice(0, most),
    };
    if (bytesOf(data) <= LARGEST) return data;
    if (most === 0) return null;
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = <T>(value: unknown, read: (entry: Readonly<Record<string, unknown>>) => T): T[] =>
  Array.isArray(value) ? value.filter(isMap).map(read) : [];

const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const readField = ({ name, label, isRequired, filled }: Readonly<Record<string, unknown>>): FieldTally => ({
  name: text(name),
  label: text(label),
  isRequired: isRequired === true,
  filled: number(filled),
});

const readTally = (one: Readonly<Record<string, unknown>>): TypeTally => ({
  type: text(one.type),
  label: text(one.label),
  total: number(one.total),
  read: number(one.read),
  words: number(one.words),
  minutes: number(one.minutes),
  withText: number(one.withText),
  fields: listOf(one.fields, readField),
});

const readEntry = (one: Readonly<Record<string, unknown>>): RankedEntry => ({
  type: text(one.type),
  id: text(one.id),
  name: text(one.name),
  words: number(one.words),
  filled: number(one.filled),
  fields: Math.max(1, number(one.fields)),
});

/** Null for what this plugin has not stored. */
export function unpacked(data: unknown): Result | null {
  if (!isMap(data) || data.format !== FORMAT || Number.isNaN(Date.parse(text(data.at)))) return null;
  return {
    at: text(data.at),
    isWhole: data.isWhole === true,
    types: listOf(data.types, readTally),
    longest: listOf(data.longest, readEntry),
    emptiest: listOf(data.emptiest, readEntry),
  };
}

/** Null if there is none. */
export async function recall(call: Call): Promise<Result | null> {
  const { records } = await call('data.list', { record_type: PLACE.record_type, limit: 1 });
  return unpacked(records[0]?.data);
}

/** False if it is too large. */
export async function remember(call: Call, result: Result): Promise<boolean> {
  const data = packed(result);
  if (data !== null) await call('data.put', { ...PLACE, data });
  return data !== null;
}
