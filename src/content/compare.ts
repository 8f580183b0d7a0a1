import { diffArrays } from 'diff';
import { deepEqual } from '../text/json.ts';

export interface ComparedContent {
  name: string;
  status: string;
  fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}

export type FieldChange =
  | { field: string; kind: 'added'; after: unknown }
  | { field: string; kind: 'removed'; before: unknown }
  | { field: string; kind: 'changed'; before: unknown; after: unknown };

/** Adjacent lines, counted from 1. `line_before` is absent for added ones, `line_after` for removed ones. */
export interface BodyBlock {
  kind: 'same' | 'added' | 'removed';
  line_before?: number;
  line_after?: number;
  lines: string[];
}

export interface ContentDifference {
  fields: FieldChange[];
  /** Of `name` and `status`. */
  attributes: FieldChange[];
  body: BodyBlock[];
  identical: boolean;
}

/** Beyond this many different lines a body is shown as replaced: finding the least difference costs their square. */
export const MAX_CHANGED_LINES = 500;

type Values = Readonly<Record<string, unknown>>;

function changeOf(field: string, before: Values, after: Values): FieldChange | undefined {
  if (!Object.hasOwn(before, field)) return { field, kind: 'added', after: after[field] };
  if (!Object.hasOwn(after, field)) return { field, kind: 'removed', before: before[field] };
  if (deepEqual(before[field], after[field])) return undefined;
  return { field, kind: 'changed', before: before[field], after: after[field] };
}

function compareValues(before: Values, after: Values): FieldChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(keys, (key) => changeOf(key, before, after)).filter((change) => change !== undefined);
}

type Block = Pick<BodyBlock, 'kind' | 'lines'>;

function blocksOf(before: readonly string[], after: readonly string[]): Block[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_CHANGED_LINES });
  if (changes === undefined) {
    return [
      { kind: 'removed', lines: [...before] },
      { kind: 'added', lines: [...after] },
    ];
  }
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value,
  }));
}

function compareBodies(before: string, after: string): BodyBlock[] {
  if (before === after) {
    return before === '' ? [] : [{ kind: 'same', line_before: 1, line_after: 1, lines: before.split('\n') }];
  }
  let lineBefore = 1;
  let lineAfter = 1;
  return blocksOf(linesOf(before), linesOf(after)).map(({ kind, lines }) => {
    const block: BodyBlock = {
      kind,
      ...(kind === 'added' ? {} : { line_before: lineBefore }),
      ...(kind === 'removed' ? {} : { line_after: lineAfter }),
      lines,
    };
    if (kind !== 'added') lineBefore += lines.length;
    if (kind !== 'removed') lineAfter += lines.length;
    return block;
  });
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Field by field, and line by line in the body. */
export function compareContent(before: ComparedContent, after: ComparedContent): ContentDifference {
  const fields = compareValues(before.fields, after.fields);
  const attributes = compareValues(
    { name: before.name, status: before.status },
    { name: after.name, status: after.status },
  );
  const body = compareBodies(before.markdown_body, after.markdown_body);
  const identical = fields.length + attributes.length === 0 && before.markdown_body === after.markdown_body;
  return { fields, attributes, body, identical };
}
