import { getNodePath } from 'jsonc-parser';
import { cutAfter } from '../../text/cut.ts';
import { lineAt, lineStartsOf } from '../frontmatter/index.ts';
import { type Part, pairsOf } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import type { ManifestProblem } from './types.ts';

type Severity = ManifestProblem['severity'];

interface Complaint {
  severity: Severity;
  message: string;
  /** Undefined if the text has no tree. */
  part: Part | undefined;
  offset: number;
}

/** Collects what is wrong with one text. */
export interface Report {
  /** The file can be used all the same. */
  warn(part: Part, message: string): void;
  fail(part: Part, message: string): void;
  failAt(offset: number, message: string): void;
  /** In the order of the file. */
  problems(): ManifestProblem[];
}

export function createReport(text: string): Report {
  const complaints: Complaint[] = [];
  const complain = (severity: Severity) => (part: Part, message: string) =>
    void complaints.push({ severity, message, part, offset: part.offset });
  return {
    warn: complain('warning'),
    fail: complain('error'),
    failAt: (offset, message) =>
      void complaints.push({ severity: 'error', message, part: undefined, offset }),
    problems: () => located(text, complaints),
  };
}

function located(text: string, complaints: readonly Complaint[]): ManifestProblem[] {
  const lineStarts = lineStartsOf(text);
  const different = new Map(
    complaints.map((complaint) => [`${complaint.offset} ${complaint.message}`, complaint]),
  );
  const listed = [...different.values()].sort(byGravity).slice(0, MANIFEST_LIMITS.problems);
  const problems = listed.toSorted(byPlace).map(({ severity, message, part, offset }): ManifestProblem => {
    const line = lineAt(lineStarts, offset);
    const column = offset - (lineStarts[line - 1] ?? 0) + 1;
    return { severity, message, pointer: part === undefined ? '' : pointerOf(part), line, column };
  });
  const left = different.size - listed.length;
  if (left === 0) return problems;
  const message = `${left} more ${left === 1 ? 'problem is' : 'problems are'} not listed`;
  return [...problems, { severity: 'warning', message, pointer: '', line: 1, column: 1 }];
}

const byPlace = (one: Complaint, other: Complaint): number => one.offset - other.offset;
const byGravity = (one: Complaint, other: Complaint): number =>
  Number(other.severity === 'error') - Number(one.severity === 'error') || byPlace(one, other);

/** A key that would be absurd in a reply ends the pointer before it. */
function pointerOf(part: Part): string {
  const path = getNodePath(part);
  const end = path.findIndex((step) => typeof step === 'string' && !isPrintable(step));
  return path
    .slice(0, end < 0 ? path.length : end)
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

const isPrintable = (key: string): boolean =>
  key.length <= MANIFEST_LIMITS.line && key.isWellFormed() && !/\p{Cc}/u.test(key);

/** For messages: quoted, on one line, and not long. */
export const quoted = (value: unknown): string =>
  JSON.stringify(typeof value === 'string' ? cutAfter(value, 60) : (value ?? null));

/** Warns of every key that its object has twice. */
export function reportRepeats(report: Report, part: Part): void {
  const keys = new Set<unknown>();
  for (const { key, value } of part.type === 'object' ? pairsOf(part) : []) {
    if (keys.has(key.value))
      report.warn(key, `the key ${quoted(key.value)} appears twice; the last one counts`);
    keys.add(key.value);
    reportRepeats(report, value);
  }
  for (const item of part.type === 'array' ? (part.children ?? []) : []) reportRepeats(report, item);
}
