import { badRequest, tooLarge } from '../errors.ts';
import { ownTurn } from '../own-turn.ts';
import { JsonTooLarge, parseJsonInTurns } from './json-in-turns.ts';

/** More than any document of ours; what reads a body may then go down into it without running out of stack. */
const DEEPEST = 100;
/** Reading, checking and answering them takes a part of a second. */
const MOST_VALUES = 200_000;
const LIMITS = { levels: DEEPEST, values: MOST_VALUES };
/** Characters that are parsed at once, and bytes that are read in the turn in which they came. */
const LONG = 256 * 1024;
/** Keys that would reach an object's prototype. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest('The body is not valid UTF-8: send JSON in UTF-8', { code: 'invalid_encoding' });
  }
}

async function parse(text: string): Promise<unknown> {
  try {
    return text.length > LONG ? await parseJsonInTurns(text, LIMITS) : JSON.parse(text);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw error.limit === 'levels' ? tooDeep() : tooManyValues();
    throw badRequest(`The body is not valid JSON: ${(error as SyntaxError).message}`, {
      code: 'invalid_json',
    });
  }
}

/**
 * The value of a JSON body; undefined for an empty one. 400 for bytes that are no UTF-8, text that is no JSON, and for
 * what JSON can say but nothing here can hold: NUL, halves of surrogate pairs, numbers beyond a double, and whole numbers
 * that would be rounded.
 */
export async function readJsonBody(bytes: Uint8Array): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  const isLong = bytes.length > LONG;
  if (isLong) await ownTurn();
  const value = await parse(textOf(bytes));
  checkStorable(value);
  // What is done with it follows in the turn in which it is handed over.
  if (isLong) await ownTurn();
  return value;
}

/** Throws 400 for a value that neither files nor databases can hold. */
export const checkStorable = (value: unknown): void => refuseUnstorable(value, []);

function refuseUnstorable(value: unknown, path: (string | number)[]): void {
  if (typeof value === 'string') refuseText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw refusal(path, 'must be a number that fits a double', 'invalid_number');
  // Which digits were sent is not known any more.
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw refusal(path, `must be a whole number up to ${Number.MAX_SAFE_INTEGER}, or text`, 'inexact_number');
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= DEEPEST) throw tooDeep();
  for (const [key, entry] of Object.entries(value)) {
    path.push(key);
    if (!Array.isArray(value)) refuseKey(key, path);
    refuseUnstorable(entry, path);
    path.pop();
  }
}

function refuseKey(key: string, path: (string | number)[]): void {
  if (RESERVED.has(key)) throw refusal(path, 'is a reserved key: rename it', 'reserved_key');
  refuseText(key, path);
}

function refuseText(text: string, path: (string | number)[]): void {
  if (text.includes('\0')) throw refusal(path, 'must not contain a NUL character', 'invalid_text');
  if (!text.isWellFormed())
    throw refusal(path, 'must not contain half of a surrogate pair (\\ud800 to \\udfff)', 'invalid_text');
}

const tooDeep = () => refusal([], `must not be nested deeper than ${DEEPEST} levels`, 'too_deep');

const tooManyValues = () =>
  tooLarge(`The body has more than ${MOST_VALUES} values: send it in parts`, { code: 'too_many_values' });

function refusal(path: readonly (string | number)[], message: string, code: string) {
  const field = path.join('.').toWellFormed().replaceAll('\0', '\\0').slice(0, 200);
  const subject = field === '' ? 'The body' : `body field '${field}'`;
  return badRequest(`${subject} ${message}`, { code, errors: [{ field, message }] });
}
