import { isMap } from '../../text/json.ts';
import { type MarkedText, markWords } from './word-marks.ts';

export interface DifferenceLine {
  kind: 'same' | 'removed' | 'added';
  /** In the text before, or after if it was added; from 1. */
  number: number;
  pieces: readonly MarkedText[];
}

/** Lines, or how many equal ones are left out between them. */
export type DifferencePart =
  | { kind: 'lines'; lines: DifferenceLine[] }
  | { kind: 'gap'; first: number; count: number };

/** Equal lines around each change. */
const CONTEXT = 2;

interface Block {
  kind: DifferenceLine['kind'];
  first: number;
  lines: readonly string[];
}

type Gap = Extract<DifferencePart, { kind: 'gap' }>;

/** The differences of two texts, from the blocks of lines of `GET …/revisions/{version}/diff`. */
export function textDifferenceOf(blocks: readonly unknown[]): DifferencePart[] {
  const known = blocks.flatMap((block) => blockOf(block) ?? []);
  if (known.every(({ kind }) => kind === 'same')) return [];
  return partsOf(known.flatMap((block, at) => itemsOf(block, known[at - 1], known[at + 1])));
}

function itemsOf(
  block: Block,
  previous: Block | undefined,
  next: Block | undefined,
): (DifferenceLine | Gap)[] {
  if (block.kind === 'same') return withoutMiddle(block, previous ? CONTEXT : 0, next ? CONTEXT : 0);
  if (block.kind === 'removed' && next?.kind === 'added') return changedLines(block, next);
  return block.kind === 'added' && previous?.kind === 'removed' ? [] : linesOf(block);
}

function withoutMiddle(block: Block, atStart: number, atEnd: number): (DifferenceLine | Gap)[] {
  const lines = linesOf(block);
  const count = lines.length - atStart - atEnd;
  if (count <= 1) return lines;
  return [
    ...lines.slice(0, atStart),
    { kind: 'gap', first: block.first + atStart, count },
    ...lines.slice(atStart + count),
  ];
}

function partsOf(items: readonly (DifferenceLine | Gap)[]): DifferencePart[] {
  const parts: DifferencePart[] = [];
  for (const item of items) {
    const last = parts.at(-1);
    if (item.kind === 'gap') parts.push(item);
    else if (last?.kind === 'lines') last.lines.push(item);
    else parts.push({ kind: 'lines', lines: [item] });
  }
  return parts;
}

function blockOf(value: unknown): Block | undefined {
  if (!isMap(value) || !Array.isArray(value.lines)) return undefined;
  const { kind } = value;
  if (kind !== 'same' && kind !== 'removed' && kind !== 'added') return undefined;
  const first = kind === 'added' ? value.line_after : value.line_before;
  return { kind, first: typeof first === 'number' ? first : 1, lines: value.lines.map(String) };
}

const linesOf = ({ kind, first, lines }: Block): DifferenceLine[] =>
  lines.map((text, index) => ({
    kind,
    number: first + index,
    pieces: [{ text, isChanged: kind !== 'same' }],
  }));

/** Lines that took the place of others are compared with them word by word, in their order. */
function changedLines(removed: Block, added: Block): DifferenceLine[] {
  const old = linesOf(removed);
  const now = linesOf(added);
  for (let index = 0; index < Math.min(old.length, now.length); index++) {
    const pair = markWords(removed.lines[index] ?? '', added.lines[index] ?? '');
    const [before, after] = [old[index], now[index]];
    if (before) old[index] = { ...before, pieces: pair.before };
    if (after) now[index] = { ...after, pieces: pair.after };
  }
  return [...old, ...now];
}
