/** From `start` up to `end`. */
export interface Range {
  start: number;
  end: number;
}

/** It may stand in a quote or a list. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)$/;
const BLANK = /^[ \t>]*\r?$/;
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t]*\r?$/;
/** An escaped character, or a run of backticks. */
const TICKS = /\\[^\n]|`+/g;

function* linesOf(text: string): Generator<Range> {
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    yield { start, end };
    start = end + 1;
  }
}

/** A fence of backticks has no further backtick on its line. */
function openingOf(line: string): string | undefined {
  const [, fence, info = ''] = FENCE.exec(line) ?? [];
  return fence?.startsWith('`') && info.includes('`') ? undefined : fence;
}

const closes = (line: string, fence: string): boolean => {
  const closing = CLOSING.exec(line)?.[1];
  return closing !== undefined && closing[0] === fence[0] && closing.length >= fence.length;
};

/** Outside fenced code blocks. */
function* paragraphsOf(text: string): Generator<Range> {
  let fence: string | undefined;
  let paragraph: Range | undefined;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    fence = openingOf(line);
    if (fence === undefined && !BLANK.test(line)) {
      paragraph = { start: paragraph?.start ?? start, end };
      continue;
    }
    if (paragraph) yield paragraph;
    paragraph = undefined;
  }
  if (paragraph) yield paragraph;
}

/** A span is a run of backticks up to the next run of the same length. */
function* withoutCodeSpans(text: string, paragraph: Range): Generator<Range> {
  const runs = ticksOf(text.slice(paragraph.start, paragraph.end), paragraph.start);
  const closings = closingsOf(runs);
  let start = paragraph.start;
  for (const run of runs) {
    const closing = closings.get(run);
    if (run.start < start || run.escaped || closing === undefined) continue;
    yield { start, end: run.start };
    start = closing.end;
  }
  yield { start, end: paragraph.end };
}

interface TickRun extends Range {
  /** It begins with an escaped backtick: it can close a code span, not open one. */
  escaped: boolean;
}

function ticksOf(text: string, offset: number): TickRun[] {
  const runs: TickRun[] = [];
  for (const { 0: run, index } of text.matchAll(TICKS)) {
    const start = offset + index;
    if (run.startsWith('`')) runs.push({ start, end: start + run.length, escaped: false });
    else if (run === '\\`') runs.push({ start: start + 1, end: start + 2, escaped: true });
  }
  return runs;
}

/** For each run, the next one of the same length. */
function closingsOf(runs: readonly TickRun[]): ReadonlyMap<TickRun, TickRun | undefined> {
  const next = new Map<number, TickRun>();
  const closings = new Map<TickRun, TickRun | undefined>();
  for (const run of runs.toReversed()) {
    closings.set(run, next.get(run.end - run.start));
    next.set(run.end - run.start, run);
  }
  return closings;
}

/** Outside fenced code blocks and code spans. Linear in the text's length. */
export function* proseOf(text: string): Generator<Range> {
  for (const paragraph of paragraphsOf(text)) yield* withoutCodeSpans(text, paragraph);
}
