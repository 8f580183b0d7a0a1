import { isLetter } from './letters.ts';
import type { Span } from './spans.ts';
import { isPronoun, type Tongue, tongueOf } from './verbs.ts';

/** The words that name the speaker: “…,” whispered Mira. */
export interface Tag {
  verb: string;
  tongue: Tongue;
  /** Null for a pronoun. */
  speaker: string | null;
  /** It follows what was said at once. */
  isAfter: boolean;
}

const REACH = 48;
/** Neither letters of all languages nor splitting by a pattern: both are slow where guests run. */
const WORD = /[^\s—–\-,()*_]+/g;
const END = /[.!?;:"“”„«»\n]/;
const ENDS: ReadonlySet<string> = new Set('.!?;:"“”„«»\n');

function clauseAfter(text: string, to: number, end: number): string {
  const from = text[to + 1] === ',' || text[to + 1] === ';' ? to + 2 : to + 1;
  if (from >= end || isLetter(text[from])) return '';
  const after = text.slice(from, Math.min(end, to + 1 + REACH)).trimStart();
  const last = after.search(END);
  return last < 0 ? after : after.slice(0, last);
}

function clauseBefore(text: string, from: number, begin: number): string {
  const before = text.slice(Math.max(begin, from - 1 - REACH), from - 1).trimEnd();
  const sign = before.at(-1);
  if (sign !== ',' && sign !== ':') return '';
  let first = before.length - 1;
  while (first > 0 && !ENDS.has(before[first - 1] ?? '')) first -= 1;
  return before.slice(first, -1);
}

const isName = (word: string | undefined): word is string =>
  word !== undefined && /^\p{Lu}/u.test(word) && !isPronoun(word);

/** The words of one clause. */
const wordsOf = (text: string): string[] => (text === '' ? [] : (text.match(WORD) ?? []));

/** The tag of something that was said: after it, or else before it. */
export function tagOf(text: string, { to, from, begin, end }: Span, added: ReadonlySet<string>): Tag | null {
  const next = tagAmong(wordsOf(clauseAfter(text, to, end)).slice(0, 3), added);
  if (next) return { ...next, isAfter: true };
  const prior = tagAmong(wordsOf(clauseBefore(text, from, begin)).slice(-4), added);
  return prior && { ...prior, isAfter: false };
}

/** A verb first, or behind a name or pronoun: a verb further on belongs to another clause. */
function tagAmong(words: readonly string[], added: ReadonlySet<string>): Omit<Tag, 'isAfter'> | null {
  for (const [index, word] of words.entries()) {
    const verb = word.toLowerCase();
    const tongue = tongueOf(verb, added);
    if (tongue === null) continue;
    const [before, after] = [words[index - 1], words[index + 1]];
    const isOf = index === 0 || isName(before) || (before !== undefined && isPronoun(before));
    if (!isOf) return null;
    const speaker = isName(before) ? before : isName(after) ? after : null;
    return { verb, tongue, speaker };
  }
  return null;
}
