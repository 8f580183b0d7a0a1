import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { MANIFEST_LIMITS } from './limits.ts';

/** A value of the file with its place. Of keys that are repeated, the last counts, as it does for JSON.parse. */
export type Part = Node;

export type JsonTree = { ok: true; root: Part } | { ok: false; reason: string; offset: number };

/** The text without a byte order mark. */
export function parseJson(text: string): JsonTree {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) {
    const reason = `the JSON is nested deeper than ${MANIFEST_LIMITS.depth} levels; no manifest needs that`;
    return { ok: false, reason, offset: tooDeep };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const error = errors[0];
  if (root !== undefined && error === undefined) return { ok: true, root };
  return { ok: false, reason: reasonOf(text, error), offset: error?.offset ?? 0 };
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * The parser recurses, and the scanner does not: a thousand brackets must not reach the parser. It passes over brackets
 * that do not close what is open, therefore these do not count here either.
 */
function tooDeepAt(text: string): number | undefined {
  const scanner = createScanner(text, true);
  const open: string[] = [];
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const token = text.charAt(scanner.getTokenOffset());
    const closing = CLOSING[token];
    if (closing !== undefined) open.push(closing);
    else if (token === open.at(-1)) open.pop();
    if (open.length > MANIFEST_LIMITS.depth) return scanner.getTokenOffset();
  }
  return undefined;
}

const EMPTY =
  'the file is empty: a manifest is a JSON object such as {"id": "my-plugin", "name": "My plugin"}';

const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no JSON: texts and keys stand in double quotes',
  PropertyNameExpected: 'a key in double quotes is missing here; after the last pair there is no comma',
  ValueExpected: 'a value is missing here; after the last one there is no comma',
  ColonExpected: 'a colon is missing between key and value',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'the manifest ends before this; remove what follows',
  InvalidCommentToken: 'JSON has no comments; remove this one',
  UnexpectedEndOfString:
    'this text does not end on its line; close it with a double quote, or write \\n for a line break',
  UnexpectedEndOfNumber: 'this number is not complete',
  InvalidUnicode: 'after \\u there are four hexadecimal digits',
  InvalidEscapeCharacter: 'this text has a backslash that means nothing; write \\\\ for a backslash',
  InvalidCharacter: 'this text has a control character; write it as \\t or \\u0009',
};

function reasonOf(text: string, error: ParseError | undefined): string {
  if (text.trim() === '' || error === undefined) return EMPTY;
  return REASONS[printParseErrorCode(error.error)] ?? 'this is no JSON';
}

/** Keys with their values, those that are repeated too. */
export function pairsOf(map: Part): { key: Part; value: Part }[] {
  return (map.children ?? []).flatMap((pair) => {
    const [key, value] = pair.children ?? [];
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
}

/** The values of an object. */
export const valuesOf = (map: Part): Part[] => [
  ...new Map(pairsOf(map).map(({ key, value }) => [key.value, value])).values(),
];

/** The key under which a value stands; undefined in a list. */
export const keyOf = (value: Part): Part | undefined =>
  value.parent?.type === 'property' ? value.parent.children?.[0] : undefined;

/** Without -0, which JSON loses. Undefined for a number that is too large, and for anything else. */
export function numberOf({ value }: { value?: unknown }): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined;
}

/** The items of a list; none of anything else. */
export const itemsOf = (list: Part): readonly Part[] => (list.type === 'array' && list.children) || [];

/** The value of the first of the names that is there, in snake_case or camelCase. A null is as good as absent. */
export function memberOf(map: Part | undefined, ...names: readonly string[]): Part | undefined {
  if (map?.type !== 'object') return undefined;
  for (const name of names) {
    const value = valueAt(map, name) ?? valueAt(map, camelCase(name));
    if (value !== undefined) return value;
  }
  return undefined;
}

function valueAt(map: Part, name: string): Part | undefined {
  const value = map.children?.findLast((pair) => pair.children?.[0]?.value === name)?.children?.[1];
  return value?.type === 'null' ? undefined : value;
}

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
