import { deepEqual, isMap, type JsonMap } from '../../text/json.ts';
import { editDocument, readDocument } from '../frontmatter/index.ts';

const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** YAML 1.1 readers do not read these as text. */
const NOT_TEXT = /^(?:y|yes|n|no|true|false|on|off|null)$/i;

const written = (key: string): string => (PLAIN.test(key) && !NOT_TEXT.test(key) ? key : JSON.stringify(key));

/** Undefined if the path does not exist. */
function withKey(data: JsonMap, path: readonly string[], to: string): JsonMap | undefined {
  const [key = '', ...rest] = path;
  if (!Object.hasOwn(data, key)) return undefined;
  if (rest.length === 0) {
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name === key ? to : name, value]));
  }
  const inner = data[key];
  const renamed = isMap(inner) ? withKey(inner as JsonMap, rest, to) : undefined;
  return renamed && { ...data, [key]: renamed };
}

/**
 * Value, comments and place stay byte for byte. If the key cannot be replaced on its line, the topmost key of the path is
 * rewritten. A missing path changes nothing. Throws DocumentError for a document that cannot be read or written.
 */
export function renameKey(text: string, path: readonly string[], to: string): string {
  const read = readDocument(text);
  if (!read.ok) return text;
  const expected = withKey(read.data, path, to);
  if (expected === undefined) return text;
  const key = path.at(-1) ?? '';
  const candidate = replaceOnLine(text, read.lineOf([...path]), key, to);
  const again = candidate === undefined ? undefined : readDocument(candidate);
  if (candidate !== undefined && again?.ok && deepEqual(again.data, expected)) return candidate;
  return writeAnew(text, { path, to, expected });
}

function replaceOnLine(text: string, line: number, key: string, to: string): string | undefined {
  let start = 0;
  for (let count = 1; count < line; count += 1) start = text.indexOf('\n', start) + 1;
  while (text[start] === ' ') start += 1;
  for (const token of [key, JSON.stringify(key), `'${key.replaceAll("'", "''")}'`]) {
    if (!text.startsWith(token, start)) continue;
    const rest = text.slice(start + token.length, start + token.length + 20);
    if (/^[ \t]*:(?:\s|$)/.test(rest))
      return text.slice(0, start) + written(to) + text.slice(start + token.length);
  }
  return undefined;
}

function writeAnew(
  text: string,
  { path, to, expected }: { path: readonly string[]; to: string; expected: JsonMap },
): string {
  const [top = ''] = path;
  if (path.length > 1) return editDocument(text, { set: { [top]: expected[top] } });
  const keys = Object.keys(expected);
  const before = keys[keys.indexOf(to) - 1];
  return editDocument(text, {
    set: { [to]: expected[to] },
    unset: [top],
    ...(before !== undefined && { after: { [to]: before } }),
  });
}
