import { SPELLED_LETTERS } from '../../text/letters.ts';

/** The place of a query in a text, as offsets for bold letters. */
export type MatchRange = readonly [from: number, to: number];

const ASCII = /^[\x20-\x7e]*$/;

/** Letters as people type them on other keyboards: without case and marks. */
export function foldName(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return foldLetters(text).trim();
}

const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => SPELLED_LETTERS[letter] ?? letter);

/** A bit for each kind of letter: names that lack a letter of the query are passed over at once. */
export function lettersIn(folded: string): number {
  let bits = 0;
  for (let index = 0; index < folded.length; index += 1) {
    const code = folded.charCodeAt(index);
    if (code !== SPACE) bits |= 1 << (code % 32);
  }
  return bits;
}

const SPACE = 32;
const WORD_BREAKS: ReadonlySet<number> = new Set(
  [...' \u00a0-–_\'’.,:/()"'].map((letter) => letter.charCodeAt(0)),
);

const SCORES = { whole: 1_000, prefix: 900, word: 800, initials: 700, inside: 600, letters: 400 } as const;

/** Scores a folded name for a folded query: its start, a word's, initials, inside, letters in order; 0 for no match. */
export function scoreName(query: string, name: string): number {
  const at = name.indexOf(query);
  if (at === 0) return query.length === name.length ? SCORES.whole : SCORES.prefix;
  if (at > 0 && wordStart(query, name, at) >= 0) return SCORES.word;
  if (query.length > 1 && initialsAt(query, name)) return SCORES.initials;
  if (at > 0) return SCORES.inside;
  return lettersScore(query, name);
}

const isWordStart = (name: string, at: number): boolean =>
  at === 0 || WORD_BREAKS.has(name.charCodeAt(at - 1));

function wordStart(query: string, name: string, from: number): number {
  for (let at = from; at >= 0; at = name.indexOf(query, at + 1)) if (isWordStart(name, at)) return at;
  return -1;
}

/** Offsets of the first letters of words that spell the query, from the first word on. */
function initialsAt(query: string, name: string): number[] | null {
  if (name.charCodeAt(0) !== query.charCodeAt(0)) return null;
  const found: number[] = [];
  for (let at = 0; at < name.length && found.length < query.length; at += 1) {
    if (!isWordStart(name, at) || WORD_BREAKS.has(name.charCodeAt(at))) continue;
    if (name.charAt(at) !== query.charAt(found.length)) return null;
    found.push(at);
  }
  return found.length === query.length ? found : null;
}

/** The closer together and the nearer to the start, the better. */
function lettersScore(query: string, name: string): number {
  let first = -1;
  let at = -1;
  for (let index = 0; index < query.length; index += 1) {
    const code = query.charCodeAt(index);
    if (code === SPACE) continue;
    at += 1;
    while (at < name.length && name.charCodeAt(at) !== code) at += 1;
    if (at >= name.length) return 0;
    if (first < 0) first = at;
  }
  return first < 0 ? 0 : Math.max(1, SCORES.letters - (at + 1 - first - query.length) * 4 - first);
}

function lettersAt(query: string, name: string): number[] | null {
  const places: number[] = [];
  let at = -1;
  for (const letter of query) {
    if (letter === ' ') continue;
    at = name.indexOf(letter, at + 1);
    if (at < 0) return null;
    places.push(at);
  }
  return places.length === 0 ? null : places;
}

/** The parts of a name, as it is written, that the query fits. */
export function matchRanges(query: string, name: string): MatchRange[] {
  const { folded, origins } = foldedWithOrigins(name);
  const wanted = foldName(query);
  const at = folded.indexOf(wanted);
  const start = at > 0 ? wordStart(wanted, folded, at) : at;
  const found = start >= 0 ? start : -1;
  if (found >= 0) return [originsOf(origins, found, found + wanted.length)];
  const places = initialsAt(wanted, folded) ?? (at > 0 ? null : lettersAt(wanted, folded));
  if (places === null) return at > 0 ? [originsOf(origins, at, at + wanted.length)] : [];
  return joined(places.map((place) => originsOf(origins, place, place + 1)));
}

/** The folded text, and for each of its characters from where to where it came. */
export function foldedWithOrigins(name: string): { folded: string; origins: MatchRange[] } {
  let folded = '';
  const origins: MatchRange[] = [];
  let at = 0;
  for (const letter of name) {
    const made = ASCII.test(letter) ? letter.toLowerCase() : foldLetters(letter);
    for (let index = 0; index < made.length; index += 1) origins.push([at, at + letter.length]);
    const last = origins.at(-1);
    if (made === '' && last) origins[origins.length - 1] = [last[0], at + letter.length];
    folded += made;
    at += letter.length;
  }
  return { folded, origins };
}

const originsOf = (origins: readonly MatchRange[], from: number, to: number): MatchRange => [
  origins[from]?.[0] ?? 0,
  origins[to - 1]?.[1] ?? 0,
];

function joined(ranges: readonly MatchRange[]): MatchRange[] {
  const result: MatchRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last && last[1] >= range[0]) result[result.length - 1] = [last[0], range[1]];
    else result.push(range);
  }
  return result;
}
