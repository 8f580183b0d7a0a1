import { isMap } from '../../text/json.ts';
import { hunksOf } from '../merge/index.ts';
import type { BodyHunk } from './hunks.ts';

/** Words of people's languages; of scripts without spaces each letter counts as one. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+(?:['’_-][\p{L}\p{N}\p{M}]+)*/gu;

/** How much of a generated text there was, and how much of it is still there. */
export interface Kept {
  generated: number;
  kept: number;
  /** Lines of the present text that hold some of it, from 1. */
  lines: readonly number[];
}

export const countWords = (text: string): number => text.match(WORDS)?.length ?? 0;

/** A value as text: each leaf is a line. */
export function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOfValue).join('\n');
  return isMap(value) ? Object.values(value).map(textOfValue).join('\n') : String(value);
}

const linesOf = (text: string): string[] => text.split(/\r?\n/);
const wordsOf = (line: string): string[] => line.match(WORDS) ?? [];

interface Word {
  text: string;
  line: number;
}

const wordsIn = (lines: readonly string[], from: number, to: number): Word[] =>
  lines.slice(from, to).flatMap((line, at) => wordsOf(line).map((text) => ({ text, line: from + at })));

/** For each word of a text the line of the next text to which it was carried over, or -1: by lines first, then by words. */
function carried(before: readonly string[], after: readonly string[]): number[] {
  const places: number[] = [];
  let [at, next] = [0, 0];
  const keep = (end: number): void => {
    for (; at < end; at += 1, next += 1) places.push(...wordsOf(before[at] ?? '').map(() => next));
  };
  for (const { baseStart, baseEnd, sideStart, sideEnd } of hunksOf(before, after)) {
    keep(baseStart);
    places.push(...carriedWords(wordsIn(before, baseStart, baseEnd), wordsIn(after, sideStart, sideEnd)));
    [at, next] = [baseEnd, sideEnd];
  }
  keep(before.length);
  return places;
}

function carriedWords(before: readonly Word[], after: readonly Word[]): number[] {
  const places = before.map(() => -1);
  let [at, next] = [0, 0];
  const keep = (end: number): void => {
    for (; at < end; at += 1, next += 1) places[at] = after[next]?.line ?? -1;
  };
  const texts = (words: readonly Word[]) => words.map(({ text }) => text);
  for (const { baseStart, baseEnd, sideEnd } of hunksOf(texts(before), texts(after))) {
    keep(baseStart);
    [at, next] = [baseEnd, sideEnd];
  }
  keep(before.length);
  return places;
}

/** The words of `after` that `before` did not have. */
const isNew = (before: string, after: string): boolean[] => {
  const old = carried(linesOf(after), linesOf(before));
  return old.map((line) => line < 0);
};

function keptOf(generated: readonly boolean[], places: readonly number[]): Kept {
  const kept = places.filter((line, index) => generated[index] && line >= 0);
  return {
    generated: generated.filter(Boolean).length,
    kept: kept.length,
    lines: [...new Set(kept)].sort((a, b) => a - b).map((line) => line + 1),
  };
}

/** Of a generated value: what it was made from, what was accepted, and what is there now. */
export function keptOfText(before: string, accepted: string, present: string): Kept {
  return keptOf(isNew(before, accepted), carried(linesOf(accepted), linesOf(present)));
}

/** Of accepted hunks of a body, by their ids. */
export function keptOfHunks(base: string, accepted: readonly BodyHunk[], present: string): Map<string, Kept> {
  const lines: string[] = [];
  const hunks: { id: string; firstWord: number; generated: boolean[] }[] = [];
  const old = linesOf(base);
  let words = 0;
  const add = (texts: readonly string[]): void => {
    for (const text of texts) {
      lines.push(text);
      words += wordsOf(text).length;
    }
  };
  let at = 0;
  for (const { id, line, before, after } of accepted.toSorted((a, b) => a.line - b.line)) {
    add(old.slice(at, line - 1));
    hunks.push({ id, firstWord: words, generated: isNew(before, after) });
    add(after === '' ? [] : linesOf(after.replace(/\r?\n$/, '')));
    at = line - 1 + (before === '' ? 0 : linesOf(before.replace(/\r?\n$/, '')).length);
  }
  add(old.slice(at));
  const places = carried(lines, linesOf(present));
  return new Map(
    hunks.map(({ id, firstWord, generated }) => [
      id,
      keptOf(generated, places.slice(firstWord, firstWord + generated.length)),
    ]),
  );
}
