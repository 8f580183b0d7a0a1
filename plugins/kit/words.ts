import { plainText } from './plain-text.ts';

export interface TextSize {
  words: number;
  /** As people count them: an accent belongs to its letter. */
  characters: number;
  /** The number of words that are characters of Chinese or Japanese, which are read faster than words. */
  ideographs: number;
}

const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Letters and digits, joined by hyphens, apostrophes, and the points of numbers. */
const WORD =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?:['’\-‐‑]|(?<=\p{N})[.,:](?=\p{N}))[\p{L}\p{N}\p{M}]+)*['’]?/gu;
const UNCOUNTED = /[\p{M}\p{Cf}\r\n]/gu;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const countIn = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function unspacedWords(text: string): number {
  const runs = text.match(UNSPACED) ?? [];
  return runs.reduce(
    (sum, run) => sum + [...segmenter.segment(run)].filter((each) => each.isWordLike).length,
    0,
  );
}

function charactersOf(text: string): number {
  const trimmed = text.trim();
  return [...trimmed].length - countIn(trimmed, UNCOUNTED);
}

/** Each character of Chinese and Japanese is a word, as editors count them. */
export function sizeOfText(markdown: string): TextSize {
  const text = plainText(markdown).normalize();
  const ideographs = countIn(text, IDEOGRAPH);
  const unspaced = unspacedWords(text);
  const spaced = text.replace(IDEOGRAPH, ' ').replace(UNSPACED, ' ');
  return { words: ideographs + unspaced + countIn(spaced, WORD), characters: charactersOf(text), ideographs };
}

export const NO_TEXT: TextSize = { words: 0, characters: 0, ideographs: 0 };

export const together = (one: TextSize, other: TextSize): TextSize => ({
  words: one.words + other.words,
  characters: one.characters + other.characters,
  ideographs: one.ideographs + other.ideographs,
});

/** People read about as many words of a language with spaces as twice as many characters of one without. */
export const readingMinutes = ({ words, ideographs }: TextSize, wordsPerMinute: number): number =>
  (words - ideographs / 2) / wordsPerMinute;
