import { isMap } from '../../text/json.ts';
import { readDocument } from '../frontmatter/index.ts';
import { proseOf } from '../references/prose.ts';
import { STEP_LIMITS } from './bounds.ts';
import { foldersOf, lineOfOffset, titleOfPath } from './source.ts';
import type { ReadItem, SourceText } from './types.ts';

const TAG = /(?<![^\s([{])#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu;

/** Outside code; a number alone is no tag. */
function tagsOf(text: string): string[] {
  if (!text.includes('#')) return [];
  const tags = new Set<string>();
  for (const { start, end } of proseOf(text)) {
    for (const [, tag = ''] of text.slice(start, end).matchAll(TAG)) tags.add(tag);
  }
  return [...tags];
}

/** `owner: [[Mira]]` without quotes is a list in a list for YAML; the writer meant a link. */
function withLinks(value: unknown): unknown {
  if (Array.isArray(value)) {
    const [only] = value;
    if (value.length === 1 && Array.isArray(only) && only.length === 1 && typeof only[0] === 'string')
      return `[[${only[0]}]]`;
    return value.map(withLinks);
  }
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withLinks(entry)]));
}

/** With frontmatter or without. Frontmatter that is no YAML refuses the file. */
export function* readMarkdown({ path, text: given }: SourceText): Generator<ReadItem> {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  const place = path === '' ? 'the text' : path;
  if (text.length > STEP_LIMITS.note) {
    const reason = `it is longer than ${STEP_LIMITS.note} characters: split it into several notes`;
    yield { refused: { place, reason } };
    return;
  }
  const read = readDocument(text);
  if (!read.ok && read.problem.code !== 'no_frontmatter') {
    const { line, column, reason } = read.problem;
    yield { refused: { place: `${place}:${line}:${column}`, reason: `the file cannot be read: ${reason}` } };
    return;
  }
  const body = read.ok ? read.body : text;
  yield {
    note: {
      path,
      place,
      title: titleOfPath(path),
      groups: foldersOf(path),
      properties: read.ok ? (withLinks(read.data) as Record<string, unknown>) : {},
      tags: tagsOf(body),
      body,
      bodyLine: read.ok ? lineOfOffset(text, text.length - body.length) : 1,
      text: read.ok ? text : null,
      refused: [],
    },
  };
}
