import { endOfJsonString } from '../../text/json-strings.ts';
import { STEP_LIMITS } from './bounds.ts';

/** As text. */
export interface JsonMember {
  /** Null in a list. */
  key: string | null;
  text: string;
}

const MARKS = /["[\]{},:]/g;

const malformed = (at: number) => new SyntaxError(`what stands at character ${at + 1} does not belong there`);

const fail = (at: number): never => {
  throw malformed(at);
};

/**
 * One after the other, so that a long text is never parsed at once. Throws SyntaxError unless the text is a list or object;
 * whether a member is JSON is for its reader to find out.
 */
export function* jsonMembers(text: string): Generator<JsonMember> {
  const from = text.search(/\S/);
  const isList = text[from] === '[';
  if (!isList && text[from] !== '{') throw malformed(from);
  const last = text.trimEnd().length - 1;
  let key: string | null = null;
  let start = from + 1;
  let depth = 0;
  for (let at = nextMark(text, start); at < last; at = nextMark(text, at)) {
    const mark = text[at];
    if (mark === '"') {
      at = endOfJsonString(text, at) ?? fail(at);
      continue;
    }
    if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    else if (depth === 0 && mark === ':' && !isList && key === null) {
      key = keyOf(text.slice(start, at), start);
      start = at + 1;
    } else if (depth === 0 && mark === ',') {
      yield member(isList, key, text.slice(start, at), start);
      key = null;
      start = at + 1;
    }
    if (depth < 0) throw malformed(at);
    at += 1;
  }
  if (depth !== 0 || text[last] !== (isList ? ']' : '}')) throw malformed(last);
  const rest = text.slice(start, last);
  if (rest.trim() !== '' || start !== from + 1) yield member(isList, key, rest, start);
}

function nextMark(text: string, from: number): number {
  MARKS.lastIndex = from;
  return MARKS.exec(text)?.index ?? text.length;
}

function keyOf(text: string, at: number): string {
  const key: unknown = JSON.parse(text);
  if (typeof key !== 'string') throw malformed(at);
  return key;
}

function member(isList: boolean, key: string | null, text: string, at: number): JsonMember {
  if (text.trim() === '' || (!isList && key === null)) throw malformed(at);
  return { key, text };
}

/** To be parsed in one step. */
export const isLong = (text: string): boolean => text.length > STEP_LIMITS.json;
