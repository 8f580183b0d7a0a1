import { SPELLED_LETTERS } from '../text/letters.ts';
import { aliasesOf } from './entity/aliases.ts';

/**
 * Search text that any word tokenizer sees alike: the same folding and splitting serves SQLite and PostgreSQL, the
 * stored text and the query.
 */

/** Scripts written without spaces between words: their characters are searched one by one, in sequence. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

const SPELLED: Readonly<Record<string, string>> = { ...SPELLED_LETTERS, ς: 'σ' };

/** A cache, since texts repeat characters; at most as many as Unicode has. */
const folded = new Map<string, string>();

function foldCharacter(character: string): string {
  const known = folded.get(character);
  if (known !== undefined) return known;
  const made = character
    .normalize('NFKD')
    // Marks are accents, vowel points and tones; the two voicing marks make other kana. Soft hyphens join.
    .replace(/[^\P{M}\u3099\u309a]|[\u00ad\u2060\ufeff]/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþıς]/g, (letter) => SPELLED[letter] ?? letter)
    .replace(/[^\p{L}\p{N}\p{Co}\x20-\x7e]/gu, ' ')
    .replace(UNSPACED, ' $& ');
  folded.set(character, made);
  return made;
}

function foldRun(run: string): string {
  let text = '';
  for (const character of run.normalize('NFKC')) text += foldCharacter(character);
  return text;
}

/** Beyond ASCII: compatibility forms made plain, lower case, no diacritics, unspaced scripts split into characters. */
export function searchableText(text: string): string {
  return text.replace(/\P{ASCII}+/gu, foldRun);
}

/** Characters. An index keeps no more of a word, and PostgreSQL's could not. */
const LONGEST_WORD = 200;
const LONG_WORDS = /[\p{L}\p{N}\p{Co}]{201,}/gu;

const cutWord = (word: string): string => Array.from(word).slice(0, LONGEST_WORD).join('');

const ZERO = 48;

/**
 * True if a stretch of `LONGEST_WORD` may hold no ASCII separator. It looks at a fifth of an ordinary text, which the
 * pattern would read over and over.
 */
function mayHaveLongWords(text: string): boolean {
  let start = 0;
  for (let at = LONGEST_WORD; at < text.length; at = start + LONGEST_WORD) {
    while (at >= start && text.charCodeAt(at) >= ZERO) at -= 1;
    if (at < start) return true;
    start = at + 1;
  }
  return false;
}

/** Cut where the index ends them. */
export const withShortWords = (text: string): string =>
  mayHaveLongWords(text) ? text.replace(LONG_WORDS, cutWord) : text;

/** As the index holds them: folded, in order, with repetitions. */
export function searchTokens(text: string): string[] {
  return (
    withShortWords(searchableText(text))
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
  );
}

/** Tokens in direct sequence; with `prefix` the last one may continue. */
export interface SearchPhrase {
  tokens: string[];
  prefix: boolean;
}

/**
 * All phrases must be found. White space separates them, and double quotes hold one together and end its last word. Other
 * punctuation separates words within a phrase and is never an operator.
 */
export function parseSearchQuery(query: string): SearchPhrase[] {
  const phrases: SearchPhrase[] = [];
  for (const [, quoted, plain = ''] of query.matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    const tokens = searchTokens(quoted ?? plain);
    if (tokens.length > 0) phrases.push({ tokens, prefix: quoted === undefined });
  }
  return phrases;
}

function flatten(value: unknown, into: string[]): void {
  if (typeof value === 'string') {
    if (value !== '') into.push(value);
  } else if (typeof value === 'number') into.push(String(value));
  else if (typeof value === 'object' && value !== null) {
    for (const entry of Object.values(value)) flatten(entry, into);
  }
}

export interface EntitySearchText {
  name: string;
  fields: string;
  body: string;
}

/** Name and aliases, all values of the fields at any depth (not their keys), and body. */
export function entitySearchText(entity: {
  name: string;
  fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}): EntitySearchText {
  const values: string[] = [];
  flatten(entity.fields, values);
  return {
    name: searchableText([entity.name, ...aliasesOf(entity.fields.aliases)].join('\n')),
    fields: searchableText(values.join('\n')),
    body: searchableText(entity.markdown_body),
  };
}
