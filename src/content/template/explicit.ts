import { readDeclaredType } from './declared.ts';
import { type Inferred, inferFrom } from './infer.ts';
import type { FieldType } from './types.ts';

/** Defaults of declared fields that name none; a number's only empty value is null. */
const EMPTY: Readonly<Record<FieldType, unknown>> = {
  string: '',
  number: null,
  boolean: false,
  array: Object.freeze([]),
  object: Object.freeze({}),
};

export interface ReadExplicit {
  inferred: Inferred;
  problems: string[];
}

/** `value` is the frontmatter's value of the same name: it stands in for a missing default. */
export function inferExplicit(entry: Record<string, unknown>, value: unknown): ReadExplicit {
  const basis = entry.default === undefined ? value : entry.default;
  const guess = inferFrom(basis === undefined ? '' : basis);
  if (typeof entry.type !== 'string' || entry.type.trim() === '') return { inferred: guess, problems: [] };
  const declared = readDeclaredType(entry.type);
  if (declared === undefined) {
    return { inferred: guess, problems: [`type "${entry.type}" is not known, taken as ${guess.type}`] };
  }
  const items = declared.items ?? guess.items;
  const rest = {
    ...(items === undefined ? {} : { items }),
    ...(guess.placeholder === undefined ? {} : { placeholder: guess.placeholder }),
  };
  if (guess.type === declared.type && basis !== null) {
    return { inferred: { ...guess, ...rest, nullable: declared.nullable }, problems: [] };
  }
  const fallback = basis === null || declared.nullable ? null : EMPTY[declared.type];
  const inferred = { type: declared.type, nullable: fallback === null, default: fallback, ...rest };
  const fits = basis === undefined || basis === null || basis === '' || guess.placeholder !== undefined;
  return {
    inferred,
    problems: fits ? [] : [`default ${JSON.stringify(basis)} is not of type ${entry.type}, left out`],
  };
}
