import { deepEqual } from '../../text/json.ts';
import { PARSER_DEPTH } from './locate.ts';
import { DocumentError } from './problem.ts';
import { readDocument } from './read.ts';
import { applySplices, type Splice } from './splice.ts';
import { splitDocument } from './split.ts';
import { isBlank, lineEnd, nextLine, skipBlanks, withoutLastBreaks } from './text.ts';
import { parseTree, type YamlNode } from './tree.ts';

/**
 * LF, one space after a key's `:`, no trailing blanks in the frontmatter, one blank line before the body, one line break at
 * the end. Values, comments, order and the words of the body stay. Idempotent. Throws DocumentError for an unreadable
 * document.
 */
export function formatDocument(text: string): string {
  const unix = text.replaceAll('\r\n', '\n');
  const before = readDocument(unix);
  if (!before.ok) {
    if (before.problem.code !== 'no_frontmatter') throw new DocumentError(before.problem);
    return unix === '' ? unix : `${withoutLastBreaks(unix)}\n`;
  }
  const { yaml, bom } = splitDocument(unix);
  const body = withoutLastBreaks(before.body.replace(/^\n+/, ''));
  for (const tidy of [tidyYaml(yaml), yaml]) {
    const head = `${bom ? '\uFEFF' : ''}---\n${tidy}---\n`;
    const result = body === '' ? head : `${head}\n${body}\n`;
    const after = readDocument(result);
    if (after.ok && deepEqual(after.data, before.data)) return result;
  }
  return unix;
}

function tidyYaml(yaml: string): string {
  const root = parseTree(yaml, PARSER_DEPTH);
  const values: YamlNode[] = [];
  const splices: Splice[] = [];
  if (root) collect(yaml, root, values, splices);
  trimLines(yaml, values, splices);
  return applySplices(yaml, splices) ?? yaml;
}

/** Multi-line scalars must not be trimmed; gaps after keys shrink to one space. */
function collect(yaml: string, node: YamlNode, values: YamlNode[], splices: Splice[]): void {
  if (node.kind === 'scalar') values.push(node);
  if (node.kind === 'seq') for (const item of node.items) collect(yaml, item.value, values, splices);
  if (node.kind !== 'map') return;
  for (const { key, colon, value } of node.entries) {
    collect(yaml, key, values, splices);
    collect(yaml, value, values, splices);
    const gapEnd = skipBlanks(yaml, colon + 1);
    const isValueGap = colon >= 0 && value.start === gapEnd && value.end > value.start;
    if (isValueGap && gapEnd > colon + 1) splices.push({ start: colon + 1, end: gapEnd, text: ' ' });
  }
}

/** Except lines that end inside a scalar. The scalars come in the order of the text. */
function trimLines(yaml: string, scalars: readonly YamlNode[], splices: Splice[]): void {
  let next = 0;
  for (let end = lineEnd(yaml, 0); end < yaml.length; end = lineEnd(yaml, nextLine(yaml, end))) {
    let start = end;
    while (start > 0 && isBlank(yaml.charCodeAt(start - 1))) start--;
    while ((scalars[next]?.end ?? yaml.length) < end) next++;
    const isInside = (scalars[next]?.start ?? yaml.length) < start;
    if (start < end && !isInside) splices.push({ start, end, text: '' });
  }
}
