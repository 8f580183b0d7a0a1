import { Fault } from './config-error.ts';

export const parseChoice =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const found = words.find((word) => word === text.toLowerCase());
    if (found === undefined) throw new Fault(`is '${text}', but must be one of ${words.join(', ')}`);
    return found;
  };

export function parseBoolean(text: string): boolean {
  return parseChoice(['true', 'false'])(text) === 'true';
}

export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Fault(`is '${text}', but must be a whole number, 0 or more`);
  return Number(text);
}

export function parsePositive(text: string): number {
  const count = parseCount(text);
  if (count === 0) throw new Fault('is 0, but must be 1 or more');
  return count;
}

const SMALLEST_TEXT_LIMIT = 64 * 1024;
/** Upper bound of the setting: no larger file is ever read as text. */
const LARGEST_TEXT_LIMIT = 16 * 1024 * 1024;

export function parseTextLimit(text: string): number {
  const bytes = parseCount(text);
  if (bytes >= SMALLEST_TEXT_LIMIT && bytes <= LARGEST_TEXT_LIMIT) return bytes;
  throw new Fault(
    `is '${text}', but must be a number of bytes from ${SMALLEST_TEXT_LIMIT} to ${LARGEST_TEXT_LIMIT}`,
  );
}

export const parseList =
  <Item>(parseItem: (text: string) => Item) =>
  (text: string): Item[] =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(parseItem);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const SHORTEST = 1000;
const LONGEST = 24 * 3_600_000;

/** `500ms`, `60s`, `5m`, `1h`: from a second to a day, in milliseconds. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new Fault(`is '${text}', but must be a number with the unit ms, s, m or h`);
  }
  const milliseconds = Number(amount) * (UNITS[unit] ?? 1);
  if (milliseconds < SHORTEST || milliseconds > LONGEST)
    throw new Fault(`is '${text}', but must be from 1s to 24h`);
  return milliseconds;
}

const FEWEST_SECRET_BYTES = 32;

/** A secret of at least 32 bytes. Messages never contain it. */
export function parseSecret(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes < FEWEST_SECRET_BYTES)
    throw new Fault(`has ${bytes} bytes, but must have ${FEWEST_SECRET_BYTES} or more`);
  return text;
}

const KEY_BYTES = 32;

/** 32 bytes in base64, with or without padding, in either alphabet. */
export function parseKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) || key.length !== KEY_BYTES) {
    throw new Fault(`must be ${KEY_BYTES} bytes in base64`);
  }
  return key;
}
