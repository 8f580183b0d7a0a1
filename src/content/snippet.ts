import { isMap } from '../text/json.ts';
import { type SearchPhrase, searchTokens } from './search-text.ts';

/** Start and end in the snippet, in UTF-16 code units. */
export type Range = [start: number, end: number];

export interface Snippet {
  text: string;
  ranges: Range[];
}

export interface FieldSnippet extends Snippet {
  /** Dotted path, or `markdown_body`. */
  field: string;
}

const LONGEST = 200;
/** Characters shown before the first match. */
const LEAD = 60;
/** Of a longer body, and of longer fields in all, the rest is not looked at. */
const MOST_READ = 200_000;
const MOST_RANGES = 20;

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}\p{Co}])+/gu;

interface Word {
  token: string;
  start: number;
  end: number;
}

function* wordsOf(text: string): Generator<Word> {
  for (const { 0: word, index: start } of text.matchAll(WORD))
    for (const token of searchTokens(word)) yield { token, start, end: start + word.length };
}

/** Each word with those after it, as many as the longest phrase has. */
function* stretchesOf(text: string, length: number): Generator<[Word, ...Word[]]> {
  const words: Word[] = [];
  for (const word of wordsOf(text)) {
    words.push(word);
    const [first, ...rest] = words;
    if (words.length < length || first === undefined) continue;
    yield [first, ...rest];
    words.shift();
  }
  for (let [first, ...rest] = words; first !== undefined; [first, ...rest] = rest) yield [first, ...rest];
}

const beginsWith = (words: readonly Word[], { tokens, prefix }: SearchPhrase): boolean =>
  tokens.every((token, index) => {
    const word = words[index]?.token;
    if (word === undefined) return false;
    return prefix && index === tokens.length - 1 ? word.startsWith(token) : word === token;
  });

interface Found {
  /** How many of the phrases are in the text. */
  phrases: number;
  ranges: Range[];
}

/** Once all phrases were met, it reads no further than a snippet shows. */
function findIn(text: string, phrases: readonly SearchPhrase[]): Found {
  const ranges: Range[] = [];
  const met = new Set<SearchPhrase>();
  const longest = Math.max(1, ...phrases.map(({ tokens }) => tokens.length));
  for (const words of stretchesOf(text, longest)) {
    const [{ start }] = words;
    const isShown = start < (ranges[0]?.[0] ?? start) + LONGEST;
    if (!isShown && met.size === phrases.length) break;
    const hits = phrases.filter((phrase) => beginsWith(words, phrase));
    for (const phrase of hits) met.add(phrase);
    const end = words[Math.max(0, ...hits.map(({ tokens }) => tokens.length)) - 1]?.end;
    const last = ranges.at(-1);
    if (end !== undefined && (last === undefined || start >= last[1])) ranges.push([start, end]);
  }
  return { phrases: met.size, ranges };
}

/** At most 200 characters around the first match, with every match in them. */
function cutAround(text: string, ranges: readonly Range[]): Snippet {
  const first = ranges[0]?.[0] ?? 0;
  const from = text.length <= LONGEST || first <= LEAD ? 0 : wordStart(text, first - LEAD);
  const room = LONGEST - (from === 0 ? 0 : 1);
  const isWhole = text.length - from <= room;
  const to = isWhole ? text.length : wholeCharacters(text, from + room - 1);
  const lead = from === 0 ? '' : '…';
  const shift = lead.length - from;
  return {
    text: `${lead}${text.slice(from, to).replaceAll(/\s/g, ' ')}${isWhole ? '' : '…'}`,
    ranges: ranges
      .filter(([start, end]) => start >= from && end <= to)
      .slice(0, MOST_RANGES)
      .map(([start, end]) => [start + shift, end + shift]),
  };
}

function wordStart(text: string, at: number): number {
  const blank = text.slice(at, at + LEAD).search(/\s/);
  return blank === -1 ? wholeCharacters(text, at) : at + blank + 1;
}

/** Not between the halves of a surrogate pair. */
const wholeCharacters = (text: string, at: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at;

/** Where a text matches, whole if it is short. */
export function snippetOf(text: string, phrases: readonly SearchPhrase[]): Snippet {
  const read = text.slice(0, MOST_READ);
  return cutAround(read, findIn(read, phrases).ranges);
}

/** The text of an entity that has the most of the phrases: fields first, then the body. */
export function bestSnippet(
  entity: { fields: Readonly<Record<string, unknown>>; markdown_body: string },
  phrases: readonly SearchPhrase[],
): FieldSnippet {
  let best = {
    field: 'markdown_body',
    text: entity.markdown_body.slice(0, MOST_READ),
    ranges: [] as Range[],
  };
  let most = 0;
  for (const { field, text: read } of textsOf(entity)) {
    const found = findIn(read, phrases);
    if (found.phrases <= most) continue;
    best = { field, text: read, ranges: found.ranges };
    most = found.phrases;
    if (most === phrases.length) break;
  }
  return { field: best.field, ...cutAround(best.text, best.ranges) };
}

function* textsOf(entity: {
  fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}): Generator<{ field: string; text: string }> {
  let left = MOST_READ;
  for (const { field, text } of leavesOf('', entity.fields)) {
    if (left <= 0) break;
    yield { field, text: text.slice(0, left) };
    left -= text.length;
  }
  yield { field: 'markdown_body', text: entity.markdown_body.slice(0, MOST_READ) };
}

/** Items of lists have the path of their list. */
function* leavesOf(field: string, value: unknown): Generator<{ field: string; text: string }> {
  if (typeof value === 'string' || typeof value === 'number') yield { field, text: String(value) };
  else if (Array.isArray(value)) for (const item of value) yield* leavesOf(field, item);
  else if (isMap(value))
    for (const [key, inner] of Object.entries(value))
      yield* leavesOf(field === '' ? key : `${field}.${key}`, inner);
}
