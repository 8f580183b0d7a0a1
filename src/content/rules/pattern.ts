import { RE2JS } from 're2js';

/** RE2 runs in linear time. */
export interface Pattern {
  /** True for a match anywhere; null: the text is too long for the pattern. */
  test(text: string): boolean | null;
}

const LONGEST_PATTERN = 500;
const LARGEST_PROGRAM = 2_000;
/** Characters times the size of the program: a few milliseconds. */
const MOST_WORK = 2_000_000;

const HINTS: readonly [RegExp, string][] = [
  [/\(\?<?[=!]/, 'RE2 has no lookahead or lookbehind: write two rules, or a custom expression'],
  [/\\[1-9]|\(\?P=/, 'RE2 has no back-references'],
  [/[*+?}]\+|\(\?>/, 'RE2 has no possessive or atomic groups, and needs none'],
];

/** Or the reason why it is invalid. */
export function compilePattern(
  source: string,
): { ok: true; pattern: Pattern } | { ok: false; reason: string } {
  if (source.length > LONGEST_PATTERN) {
    return { ok: false, reason: `the pattern is longer than ${LONGEST_PATTERN} characters` };
  }
  try {
    const compiled = RE2JS.compile(source);
    const size = compiled.programSize();
    if (size > LARGEST_PROGRAM)
      return { ok: false, reason: 'the pattern repeats too much: it would be slow' };
    const test = (text: string) => (text.length * size > MOST_WORK ? null : compiled.test(text));
    return { ok: true, pattern: { test } };
  } catch (error) {
    const said =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    const hint = HINTS.find(([trait]) => trait.test(source))?.[1];
    return { ok: false, reason: `not a pattern in RE2 syntax: ${said}${hint ? ` (${hint})` : ''}` };
  }
}
