import type { ReadDocument } from '../frontmatter/index.ts';
import { ENTITY_METADATA_KEYS, isPlaceholder } from '../template/index.ts';

/** The smallest part that a passage may be made of; `start` and `end` are offsets in the file's text. */
export interface Piece {
  start: number;
  end: number;
  text: string;
  /** A passage ends before it: always, if it is half full, or never. */
  border: 'hard' | 'soft' | 'none';
}

const HEADING = /^\s*#{1,6}\s/;
/** Up to the end of a sentence, with closing quotes and the space after it. */
const SENTENCES = /[^.!?…。！？]+(?:[.!?…。！？]+["'”’»)\]]*\s*|$)|[.!?…。！？]+\s*/gu;
const FENCE = '---';
const HAS_LETTER = /\p{L}/u;

/** Without what markdown adds to words. */
const plainOf = (text: string): string =>
  text
    .replace(/!?\[\[(?:[^[\]|]*\||[a-z0-9_]+:)?([^[\]|]*)\]\]/g, '$1')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+/gm, '')
    .replace(/[*`]+/g, '')
    .replace(/[_|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The parts of a text of which none is longer than `most`: sentences, and cut ones if a sentence is longer. */
function* partsOf(text: string, most: number): Generator<{ at: number; part: string }> {
  if (text.length <= most) {
    yield { at: 0, part: text };
    return;
  }
  for (const { 0: sentence, index } of text.matchAll(SENTENCES))
    for (let cut = 0; cut < sentence.length; cut += most)
      yield { at: index + cut, part: sentence.slice(cut, cut + most) };
}

/** Of the body, in order. Headings begin a passage, and blank lines may. */
export function* bodyPieces(
  { head, body }: Pick<ReadDocument, 'head' | 'body'>,
  most: number,
): Generator<Piece> {
  let border: Piece['border'] = 'hard';
  for (let start = 0; start < body.length; ) {
    const feed = body.indexOf('\n', start);
    const end = feed < 0 ? body.length : feed;
    const line = body.slice(start, end);
    if (HEADING.test(line)) border = 'hard';
    else if (line.trim() === '' && border === 'none') border = 'soft';
    for (const { at, part } of partsOf(line, most)) {
      const text = plainOf(part);
      if (!HAS_LETTER.test(text)) continue;
      const from = head.length + start + at;
      yield { start: from, end: from + part.length, text, border };
      border = 'none';
    }
    start = end + 1;
  }
}

/** Single words are mostly choices of the template, which entities of a type share. */
const SEVERAL_WORDS = /\p{L}[^\p{L}]*\s[^\p{L}]*\p{L}/u;

/** Texts at any depth, and the items of lists; instructions are not yet text. */
function* textsIn(value: unknown, isItem = false): Generator<string> {
  if (typeof value === 'string') {
    const isTold = isItem ? HAS_LETTER.test(value) : SEVERAL_WORDS.test(value);
    if (isTold && !isPlaceholder(value)) yield plainOf(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* textsIn(each, Array.isArray(value));
  }
}

/** Offset of a line that is counted from 1. */
function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let number = 1; number < line; number += 1) {
    const feed = text.indexOf('\n', offset);
    if (feed < 0) return text.length;
    offset = feed + 1;
  }
  return offset;
}

/** Of the frontmatter's own fields, with their names. */
export function* fieldPieces({ head, data, lineOf }: ReadDocument, most: number): Generator<Piece> {
  const keys = Object.keys(data);
  const starts = keys.map((key) => offsetOfLine(head, lineOf([key])));
  const beforeFence = head.trimEnd().length - FENCE.length;
  for (const [index, key] of keys.entries()) {
    if (ENTITY_METADATA_KEYS.has(key)) continue;
    const text = [...textsIn(data[key])].join(', ');
    if (text === '') continue;
    const [start = 0, end = beforeFence] = [starts[index], starts[index + 1]];
    const label = key.replaceAll('_', ' ');
    for (const { part } of partsOf(`${label}: ${text}`, most))
      yield { start, end: Math.max(start, end), text: part.trim(), border: 'none' };
  }
}
