import { cutWithin } from '../../../text/cut.ts';
import type { ToolAnswer } from './tool.ts';

/** Characters of an answer: more would fill a model's context. */
const MOST_CHARACTERS = 40_000;

export const answerOf = (data: Readonly<Record<string, unknown>>): ToolAnswer => ({
  texts: [JSON.stringify(data)],
  data,
});

/** As many of the items as an answer holds: at least one. */
export function fitting<Item>(items: readonly Item[]): Item[] {
  let left = MOST_CHARACTERS;
  const count = items.findIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  return items.slice(0, count === -1 ? items.length : Math.max(1, count));
}

/** The place after a page of a list, or null at its end. */
export const nextOffset = (offset: number, shown: number, total: number): number | null =>
  offset + shown < total ? offset + shown : null;

export interface TextPage {
  text: string;
  /** Null at the end of the text. */
  next_offset: number | null;
}

/** A part of a long text that ends at the end of a line where it can. */
export function textPage(whole: string, offset: number, most = MOST_CHARACTERS): TextPage {
  const rest = whole.length - offset;
  if (rest <= most) return { text: whole.slice(offset), next_offset: null };
  const atLine = whole.lastIndexOf('\n', offset + most - 1) + 1;
  const end = atLine > offset + most / 2 ? atLine : offset + most;
  return { text: whole.slice(offset, end), next_offset: end };
}

/** Long texts within a value cut, and lists and maps that are nested too deep left out. */
export function shortened(value: unknown, most: number, depth = 6): unknown {
  if (typeof value === 'string') return cutWithin(value, most);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => shortened(item, most, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shortened(item, most, depth - 1)]),
  );
}
