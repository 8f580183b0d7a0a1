import { endOfJsonString } from '../../text/json-strings.ts';
import { createPauses } from '../pauses.ts';

interface Open {
  into: unknown[] | Record<string, unknown>;
  key: string | null;
}

export interface JsonLimits {
  levels: number;
  values: number;
}

export class JsonTooLarge extends Error {
  readonly limit: keyof JsonLimits;

  constructor(limit: keyof JsonLimits) {
    super(`the JSON has too many ${limit}`);
    this.limit = limit;
  }
}

const BLANKS = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Values that are parsed between two possible pauses. */
const STEP = 500;

/**
 * Parses a long text like `JSON.parse`, but pauses so that other requests get their turn. Throws a SyntaxError for
 * malformed JSON, and `JsonTooLarge` beyond the limits.
 */
export async function parseJsonInTurns(text: string, limits: JsonLimits): Promise<unknown> {
  const pause = createPauses();
  const open: Open[] = [];
  let at = 0;
  let values = 0;
  let result: unknown;

  const fail = (): never => {
    const found = at < text.length ? `'${String.fromCodePoint(text.codePointAt(at) ?? 0)}'` : 'its end';
    throw new SyntaxError(`${found} does not belong at position ${at}`);
  };
  const skipBlanks = () => {
    BLANKS.lastIndex = at;
    BLANKS.test(text);
    at = BLANKS.lastIndex;
  };
  const take = (mark: string): boolean => {
    skipBlanks();
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };

  function readString(): string {
    const from = at;
    at = endOfJsonString(text, from) ?? fail();
    return JSON.parse(text.slice(from, at)) as string;
  }

  function readScalar(): unknown {
    SCALAR.lastIndex = at;
    const [found] = SCALAR.exec(text) ?? [fail()];
    at += found.length;
    return JSON.parse(found);
  }

  function place(value: unknown): void {
    const inside = open.at(-1);
    if (inside === undefined) result = value;
    else if (Array.isArray(inside.into)) inside.into.push(value);
    else define(inside.into, inside.key ?? fail(), value);
  }

  function begin(into: Open['into']): void {
    at += 1;
    place(into);
    open.push({ into, key: null });
    if (open.length > limits.levels) throw new JsonTooLarge('levels');
  }

  function readKey(inside: Open): void {
    skipBlanks();
    if (text[at] !== '"') fail();
    inside.key = readString();
    if (!take(':')) fail();
  }

  /** Returns true if it opened a container. */
  function readValue(): boolean {
    skipBlanks();
    values += 1;
    if (values > limits.values) throw new JsonTooLarge('values');
    const mark = text[at];
    if (mark === '{' || mark === '[') {
      begin(mark === '{' ? {} : []);
      return true;
    }
    place(mark === '"' ? readString() : readScalar());
    return false;
  }

  /** To the next value, or out of containers that end. Returns true if there is a next one. */
  function goOn(hasBegun: boolean): boolean {
    let isFresh = hasBegun;
    for (let inside = open.at(-1); inside; inside = open.at(-1)) {
      const isList = Array.isArray(inside.into);
      if (take(isList ? ']' : '}')) {
        open.pop();
        isFresh = false;
        continue;
      }
      if (!isFresh && !take(',')) fail();
      if (!isList) readKey(inside);
      return true;
    }
    skipBlanks();
    if (at < text.length) fail();
    return false;
  }

  while (goOn(readValue())) if (values % STEP === 0) await pause();
  return result;
}

/** Sets an own property whatever its name, as JSON.parse does. */
function define(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
  else into[key] = value;
}
