import { deepEqual, type JsonMap } from '../../text/json.ts';
import { toJsonMap } from './json.ts';
import { DocumentError, problemAtStart } from './problem.ts';
import { type ReadDocument, readDocument } from './read.ts';
import { mapLines, type RenderStyle } from './render.ts';

const FRESH: RenderStyle = { quote: 'double', listIndent: 2, blockScalars: true };

/**
 * Reading the document gives `data` and `body` back exactly. Throws DocumentError for data that frontmatter cannot carry
 * (reserved keys, numbers without a JSON form, over the limits).
 */
export function createDocument(
  data: Record<string, unknown>,
  body: string,
  newline: '\n' | '\r\n' = '\n',
): string {
  const { head, body: written } = newDocument(data, body, newline);
  return head + written;
}

/** As it was read back. */
export function newDocument(
  data: Record<string, unknown>,
  body: string,
  newline: '\n' | '\r\n' = '\n',
): ReadDocument {
  const map = toJsonMap(data);
  for (const style of [FRESH, { ...FRESH, blockScalars: false }]) {
    const text = compose(map, body, newline, style);
    const read = readDocument(text);
    if (!read.ok && read.problem.code !== 'yaml') throw new DocumentError(read.problem);
    if (read.ok && read.body === body && deepEqual(read.data, map)) return read;
  }
  throw new DocumentError(
    problemAtStart('yaml', 'the values cannot be written as frontmatter that reads back the same'),
  );
}

function compose(map: JsonMap, body: string, newline: string, style: RenderStyle): string {
  const lines = ['---', ...mapLines(map, 0, style), '---', ''];
  const head = lines.join(newline);
  return body === '' ? head : head + newline + body;
}
