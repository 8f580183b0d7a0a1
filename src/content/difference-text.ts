import { formatPatch, structuredPatch } from 'diff';
import { type ContentDifference, type FieldChange, MAX_CHANGED_LINES } from './compare.ts';

/** Lines around each change. */
const CONTEXT = 3;

/** Empty for equal texts. Texts that differ too much are shown as replaced. */
export function unifiedDiff(
  before: string,
  after: string,
  labels: { before: string; after: string },
): string {
  if (before === after) return '';
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGED_LINES };
  const patch = structuredPatch(labels.before, labels.after, before, after, '', '', options);
  return patch ? formatPatch(patch) : replaced(before, after, labels);
}

function replaced(before: string, after: string, labels: { before: string; after: string }): string {
  const [removed, added] = [linesOf(before), linesOf(after)];
  const hunk = {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  };
  return formatPatch({
    oldFileName: labels.before,
    newFileName: labels.after,
    oldHeader: '',
    newHeader: '',
    hunks: [hunk],
  });
}

const linesOf = (text: string): string[] => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');

const KINDS: readonly FieldChange['kind'][] = ['changed', 'added', 'removed'];

/** In one line: which attributes and fields, and how many lines were added and removed. */
export function describeDifference({ fields, attributes, body, identical }: ContentDifference): string {
  if (identical) return 'No difference';
  const parts = [
    ...attributes.map(({ field }) => `${field} changed`),
    ...KINDS.flatMap((kind) => describeFields(kind, fields)),
  ];
  const count = (kind: 'added' | 'removed') =>
    body.reduce((sum, block) => sum + (block.kind === kind ? block.lines.length : 0), 0);
  const [added, removed] = [count('added'), count('removed')];
  if (added + removed > 0) parts.push(`text +${added} −${removed} lines`);
  return parts.join('; ');
}

function describeFields(kind: FieldChange['kind'], fields: readonly FieldChange[]): string[] {
  const names = fields.filter((change) => change.kind === kind).map(({ field }) => field);
  if (names.length === 0) return [];
  return [`${names.length} ${names.length === 1 ? 'field' : 'fields'} ${kind}: ${names.join(', ')}`];
}
