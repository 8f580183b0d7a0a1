import { badRequest, tooLarge } from '../errors.ts';
import { ownTurn } from '../own-turn.ts';
import { JsonTooLarge, parseJsonInTurns } from './json-in-turns.ts';

/** Deeper than any of our documents, yet shallow enough that recursive code cannot run out of stack. */
const DEEPEST = 100;
/** Reading, checking and answering this many takes a fraction of a second. */
const MOST_VALUES = 200_000;
const LIMITS = { levels: DEEPEST, values: MOST_VALUES };
/** Longer bodies are parsed in several turns (bytes and characters). */
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
 * The value of a JSON body; undefined for an empty one. 400 for bytes that are not UTF-8, text that is not JSON, and for
 * values that JSON allows but our files and databases cannot hold: NUL, lone surrogates, numbers beyond a double, and
 * integers that would be rounded.
 */
export async function readJsonBody(bytes: Uint8Array): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  const isLong = bytes.length > LONG;
  if (isLong) await ownTurn();
  const value = await parse(textOf(bytes));
  checkStorable(value);
  // The caller goes on synchronously, so that work gets a turn of its own too.
  if (isLong) await ownTurn();
  return value;
}

/** Throws 400 for a value that files or databases cannot hold. */
export const checkStorable = (value: unknown): void => refuseUnstorable(value, []);

function refuseUnstorable(value: unknown, path: (string | number)[]): void {
  if (typeof value === 'string') refuseText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw refusal(path, 'must be a number that fits a double', 'invalid_number');
  // The digits that were sent are no longer known.
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
