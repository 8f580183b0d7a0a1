import { hunksOf } from '../../content/merge/hunks.ts';

/** A piece of a text, and whether the other text does not have it. */
export interface MarkedText {
  text: string;
  isChanged: boolean;
}

export interface MarkedPair {
  before: readonly MarkedText[];
  after: readonly MarkedText[];
}

/** Texts with less in common than this are shown as replaced: marks all over help nobody. */
const LEAST_COMMON = 0.35;
/** Longer ones are not compared word by word. */
const MOST_WORDS = 4_000;
const WORDS = /\s+|[\p{L}\p{M}\p{N}_'’]+|[^\s\p{L}\p{M}\p{N}_'’]/gu;

/** Marks the words in which two texts differ. */
export function markWords(before: string, after: string): MarkedPair {
  if (before === after) return { before: plain(before), after: plain(after) };
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old.length > MOST_WORDS || now.length > MOST_WORDS) return replaced(before, after);
  const hunks = hunksOf(old, now);
  const changed = hunks.reduce(
    (sum, hunk) => sum + hunk.baseEnd - hunk.baseStart + hunk.sideEnd - hunk.sideStart,
    0,
  );
  const common = 1 - changed / (old.length + now.length);
  if (common < LEAST_COMMON) return replaced(before, after);
  return {
    before: marked(
      old,
      hunks.map(({ baseStart, baseEnd }) => [baseStart, baseEnd]),
    ),
    after: marked(
      now,
      hunks.map(({ sideStart, sideEnd }) => [sideStart, sideEnd]),
    ),
  };
}

const wordsOf = (text: string): string[] => text.match(WORDS) ?? [];

const plain = (text: string): MarkedText[] => (text === '' ? [] : [{ text, isChanged: false }]);

const whole = (text: string): MarkedText[] => (text === '' ? [] : [{ text, isChanged: true }]);

const replaced = (before: string, after: string): MarkedPair => ({
  before: whole(before),
  after: whole(after),
});

function marked(words: readonly string[], ranges: readonly (readonly [number, number])[]): MarkedText[] {
  const pieces: MarkedText[] = [];
  let at = 0;
  const add = (until: number, isChanged: boolean) => {
    if (until > at) pieces.push({ text: words.slice(at, until).join(''), isChanged });
    at = Math.max(at, until);
  };
  for (const [start, end] of ranges) {
    add(start, false);
    add(end, true);
  }
  add(words.length, false);
  return pieces;
}
