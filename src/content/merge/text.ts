import { type Lines, linesOf } from './lines.ts';
import { mergeSequences, type Part, type Range } from './sequences.ts';

/** The lines of each side, joined by LF. */
export interface TextConflict {
  /** In local, from 1. */
  line: number;
  base: string;
  local: string;
  remote: string;
}

export interface TextMerge {
  clean: boolean;
  /** With local's line ends; overlaps have local's side. */
  text: string;
  /** With both sides of each overlap: merged by words if possible, else one after the other between marks. */
  proposed: string;
  conflicts: TextConflict[];
}

type Overlap = Extract<Part, { kind: 'overlap' }>;

/**
 * By lines, from the common ancestor. Line ends and a missing last line break never conflict. If one side did not change,
 * the other's text stays byte for byte. `settle` decides overlaps: its lines are taken, and undefined leaves one open.
 */
export function mergeText(
  base: string,
  local: string,
  remote: string,
  settle: (conflict: TextConflict) => string | undefined = () => undefined,
): TextMerge {
  if (local === remote || base === remote) return unchanged(local);
  if (base === local) return unchanged(remote);
  const texts = { base: linesOf(base), local: linesOf(local), remote: linesOf(remote) };
  const parts = mergeSequences(texts.base.lines, texts.local.lines, texts.remote.lines);
  const conflicts: TextConflict[] = [];
  const settled = new Map<Overlap, Pieces>();
  for (const part of parts) {
    if (part.kind !== 'overlap') continue;
    const conflict = {
      line: part.local[0] + 1,
      base: joined(texts.base, part.base),
      local: joined(texts.local, part.local),
      remote: joined(texts.remote, part.remote),
    };
    const text = settle(conflict);
    if (text === undefined) conflicts.push(conflict);
    else settled.set(part, text === '' ? [] : linesOf(text).lines.map((line) => [line, '']));
  }
  const write = (open: (part: Overlap) => Pieces) =>
    assemble(parts, texts, (part) => settled.get(part) ?? open(part));
  const text = write((part) => pieces(texts.local, part.local));
  const proposed = write((part) => proposal(texts, part).map((line) => [line, '']));
  return { clean: conflicts.length === 0, text, proposed, conflicts };
}

const unchanged = (text: string): TextMerge => ({ clean: true, text, proposed: text, conflicts: [] });

/** An empty break is replaced by local's. */
type Pieces = [line: string, lineBreak: string][];

interface Texts {
  base: Lines;
  local: Lines;
  remote: Lines;
}

const pieces = ({ lines, breaks }: Lines, [start, end]: Range): Pieces =>
  lines.slice(start, end).map((line, index) => [line, breaks[start + index] ?? '']);

const joined = ({ lines }: Lines, range: Range): string => lines.slice(...range).join('\n');

function assemble(parts: readonly Part[], texts: Texts, overlap: (part: Overlap) => Pieces): string {
  const { base, local, remote } = texts;
  const all = parts.flatMap((part): Pieces => {
    if (part.kind === 'overlap') return overlap(part);
    if (part.kind === 'local') return pieces(local, part.range);
    return remote.lines.slice(...part.range).map((line) => [line, '']);
  });
  const { endsWithBreak } = local.endsWithBreak === base.endsWithBreak ? remote : local;
  const last = all.length - 1;
  return all
    .map(([line, lineBreak], index) =>
      index === last && !endsWithBreak ? line : line + (lineBreak || local.newline),
    )
    .join('');
}

function proposal(texts: Texts, part: Overlap): string[] {
  const [local, remote] = [texts.local.lines.slice(...part.local), texts.remote.lines.slice(...part.remote)];
  const words = mergeWords(joined(texts.base, part.base), local.join('\n'), remote.join('\n'));
  return words?.split('\n') ?? ['<<<<<<< local', ...local, '=======', ...remote, '>>>>>>> remote'];
}

/** Undefined if the words overlap too. */
function mergeWords(base: string, local: string, remote: string): string | undefined {
  const [ours, theirs] = [wordsOf(local), wordsOf(remote)];
  let merged = '';
  for (const part of mergeSequences(wordsOf(base), ours, theirs)) {
    if (part.kind === 'overlap') return undefined;
    merged += (part.kind === 'local' ? ours : theirs).slice(...part.range).join('');
  }
  return merged;
}

const wordsOf = (text: string): string[] => text.match(/\s+|\S+/g) ?? [];
