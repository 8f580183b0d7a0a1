import { mergeMaps } from '../../content/merge/values.ts';
import { isMap } from '../../text/json.ts';

export interface ConflictSide {
  name: string;
  status: string;
  fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}

/** The common base, the user's version and the other one. Without a base, every difference is disputed. */
export interface MergeSides {
  base: ConflictSide | null;
  mine: ConflictSide;
  theirs: ConflictSide;
}

/** A field that both changed, in different ways. */
export interface Dispute {
  /** Dotted; entries of lists by their id or name. */
  field: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

interface RecordedConflict {
  base: Readonly<Record<string, unknown>> | null;
  local: ConflictSide;
  remote: ConflictSide;
  pushed: boolean;
}

/** In a conflict that a save made, what came in is the user's; in one that an install pushed, what the install had. */
export const sidesOf = ({ base, local, remote, pushed }: RecordedConflict): MergeSides => ({
  base: base === null ? null : sideIn(base),
  mine: pushed ? local : remote,
  theirs: pushed ? remote : local,
});

const sideIn = ({
  name,
  status,
  fields,
  markdown_body,
}: Readonly<Record<string, unknown>>): ConflictSide => ({
  name: textIn(name),
  status: textIn(status),
  fields: isMap(fields) ? fields : {},
  markdown_body: textIn(markdown_body),
});

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const BODY = 'markdown_body';

export function disputesOf(sides: MergeSides): Dispute[] {
  const disputes: Dispute[] = [];
  merged(sides, ({ field, base, local, remote }) => {
    disputes.push({ field, base, mine: remote, theirs: local });
    return local;
  });
  return disputes;
}

/** The fields to send, whole by their top key, once every dispute has its value; null clears. */
export function settledFields(
  sides: MergeSides,
  recorded: readonly string[],
  chosen: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const values = merged(sides, ({ field, local }) => (chosen.has(field) ? chosen.get(field) : local));
  const tops = [...recorded, ...chosen.keys()].map((field) => field.split('.')[0] ?? field);
  const sent = [...new Set(tops)].filter((field) => field !== BODY && field !== 'frontmatter_comments');
  return Object.fromEntries(sent.map((field) => [field, values[field] ?? null]));
}

type OnOverlap = Parameters<typeof mergeMaps>[2];

const merged = ({ base, mine, theirs }: MergeSides, onOverlap: OnOverlap): Record<string, unknown> =>
  mergeMaps(
    { base: base === null ? {} : valuesOf(base), local: valuesOf(theirs), remote: valuesOf(mine) },
    [],
    onOverlap,
  );

const valuesOf = ({ name, status, fields }: ConflictSide) => ({ ...fields, name, status });

/** Both values: one below the other, or the entries of both lists; undefined where they do not go together. */
export function bothOf({ mine, theirs }: Dispute): unknown {
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const known = new Set(mine.map((entry) => JSON.stringify(entry)));
    return [...mine, ...theirs.filter((entry) => !known.has(JSON.stringify(entry)))];
  }
  const areTexts = typeof mine === 'string' && typeof theirs === 'string';
  return areTexts && mine !== '' && theirs !== '' ? `${mine}\n\n${theirs}` : undefined;
}
