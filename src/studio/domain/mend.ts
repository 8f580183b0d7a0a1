import { linksOf } from '../../content/references/links.ts';
import { isMap } from '../../text/json.ts';
import { isSame } from './field-path.ts';

/** A fix as the service proposes it. */
interface Fix {
  /** Its keys joined by dots; those of lists are numbers. */
  field: string;
  kind: string;
  before: unknown;
  after: unknown;
}

export interface MendedField {
  /** The outermost field. */
  name: string;
  value: unknown;
}

/** The field as a fix makes it; undefined where it has another value by now. */
export function mendedField(
  fields: Readonly<Record<string, unknown>>,
  { field, kind, before, after }: Fix,
): MendedField | undefined {
  const [name = '', ...keys] = field.split('.');
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const present = keys.reduce<unknown>(partOf, value);
  if (!isSame(present, before)) return undefined;
  const isTakenOut = kind === 'dangling_reference' && after === null;
  return { name, value: withPart(value, keys, isTakenOut ? undefined : after) };
}

function partOf(whole: unknown, key: string): unknown {
  if (Array.isArray(whole)) return whole[Number(key)];
  return isMap(whole) && Object.hasOwn(whole, key) ? whole[key] : undefined;
}

/** Without the entry of a list for `undefined`. */
function withPart(whole: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
  if (key === undefined) return part ?? null;
  const next = rest.length === 0 ? part : withPart(partOf(whole, key), rest, part);
  if (!Array.isArray(whole)) return { ...(isMap(whole) && whole), [key]: next ?? null };
  return next === undefined ? whole.toSpliced(Number(key), 1) : whole.with(Number(key), next);
}

interface MeantLink {
  /** As it stands in the text. */
  target: string;
  /** Of the text, from 1. */
  line: number;
  meant: { type: string; id: string };
}

/** The text with the links of a line to a target leading to another entity; undefined if there is none. */
export function withMeantLinks(text: string, { target, line, meant }: MeantLink): string | undefined {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, 0);
  const end = before + (lines[line - 1] ?? '').length;
  const links = linksOf(text).filter(({ id, start }) => id === target && start >= before && start < end);
  if (links.length === 0) return undefined;
  return links.reduceRight((changed, { start, end: last }) => {
    const opening = changed.lastIndexOf('[[', start) + 2;
    return `${changed.slice(0, opening)}${meant.type}:${meant.id}${changed.slice(last)}`;
  }, text);
}
