import { isMap } from '../../text/json.ts';
import { didYouMean } from '../../text/near.ts';
import {
  bracketsIn,
  type FieldDefinition,
  isPlaceholder,
  type TemplateDefinition,
} from '../template/index.ts';

/** The parts of an entity that a model is asked for. With none of them set it is the whole entity. */
export interface AskedTarget {
  /** `empty`: those without a value; `all`: every one. */
  fields?: 'all' | 'empty' | readonly string[] | undefined;
  /** Of the named fields only those without a value. */
  onlyEmpty?: boolean | undefined;
  body?: boolean | undefined;
  /** Bracketed instructions of the body: all of them, or these, with their brackets. */
  placeholders?: boolean | readonly string[] | undefined;
  /** A passage of the body, by its place (UTF-16 units) or its words, which must occur once. */
  selection?: { start: number; end: number } | { text: string } | undefined;
}

/** A passage of the body as it is now; the answer replaces it. */
export interface Passage {
  /** Its name in the answer: `p1`, `p2`. */
  key: string;
  kind: 'placeholder' | 'selection';
  start: number;
  end: number;
  text: string;
}

export interface Target {
  name: boolean;
  fields: readonly FieldDefinition[];
  body: boolean;
  /** In order, none within another. */
  passages: readonly Passage[];
}

/** The present state; null for an entity that is to be made. */
export interface TargetEntity {
  fields: Readonly<Record<string, unknown>>;
  markdown_body: string;
}

export type FoundTarget = { ok: true; target: Target } | { ok: false; field: string; message: string };

/** Nobody has said anything yet: a switch and a number always say something. */
export function isUnsaid(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || isPlaceholder(value)) return true;
  if (Array.isArray(value)) return value.every(isUnsaid);
  return isMap(value) && Object.values(value).every(isUnsaid);
}

export function findTarget(
  template: TemplateDefinition,
  entity: TargetEntity | null,
  asked: AskedTarget,
): FoundTarget {
  const { fields, body = false, placeholders = false, selection } = asked;
  const isWhole = fields === undefined && !body && placeholders === false && selection === undefined;
  if (isWhole)
    return { ok: true, target: { name: entity === null, fields: template.fields, body: true, passages: [] } };
  if (entity === null && (placeholders !== false || selection !== undefined))
    return fault('target', 'a new entity has no text yet: leave placeholders and selection out');
  const chosen = chooseFields(template, entity, asked);
  if (!chosen.ok) return chosen;
  const passages = passagesOf(entity?.markdown_body ?? '', placeholders, selection);
  if (!passages.ok) return passages;
  if (body && passages.found.length > 0)
    return fault('target.body', 'ask for the whole body or for passages of it, not for both');
  const target = { name: entity === null, fields: chosen.fields, body, passages: passages.found };
  if (chosen.fields.length > 0 || body || passages.found.length > 0) return { ok: true, target };
  return fault(
    'target',
    'nothing is left to write: every field has a value, and the body has no placeholder',
  );
}

const fault = (field: string, message: string) => ({ ok: false as const, field, message });

function chooseFields(
  template: TemplateDefinition,
  entity: TargetEntity | null,
  { fields: asked = [], onlyEmpty = asked === 'empty' }: AskedTarget,
): { ok: true; fields: FieldDefinition[] } | ReturnType<typeof fault> {
  const known = template.fields.map(({ name }) => name);
  const names = typeof asked === 'string' ? known : asked;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return fault(
      'target.fields',
      `'${unknown}' is no field of ${template.entity_type}${didYouMean(unknown, known)}`,
    );
  const isWanted = (name: string) => names.includes(name) && (!onlyEmpty || isUnsaid(entity?.fields[name]));
  return { ok: true, fields: template.fields.filter(({ name }) => isWanted(name)) };
}

type Found = { ok: true; found: Passage[] } | ReturnType<typeof fault>;

function passagesOf(
  body: string,
  placeholders: boolean | readonly string[],
  selection: AskedTarget['selection'],
): Found {
  if (selection !== undefined) {
    if (placeholders !== false)
      return fault('target.selection', 'ask for placeholders or for a selection, not for both');
    return selectionOf(body, selection);
  }
  if (placeholders === false) return { ok: true, found: [] };
  const brackets = bracketsIn(body);
  const lost =
    placeholders === true
      ? undefined
      : placeholders.find((text) => !brackets.some((bracket) => bracket.text === text));
  if (lost !== undefined) return fault('target.placeholders', `the body has no placeholder ${lost}`);
  const wanted = brackets.filter(({ text }) => placeholders === true || placeholders.includes(text));
  return {
    ok: true,
    found: wanted.map((bracket, index) => ({
      key: `p${index + 1}`,
      kind: 'placeholder' as const,
      ...bracket,
    })),
  };
}

function selectionOf(body: string, selection: NonNullable<AskedTarget['selection']>): Found {
  if ('start' in selection) {
    const { start, end } = selection;
    if (start >= end || end > body.length)
      return fault('target.selection', `must lie within the body, which has ${body.length} characters`);
    return selected(body, start, end);
  }
  const { text } = selection;
  const start = body.indexOf(text);
  if (text === '' || start < 0) return fault('target.selection', 'the body does not have this text');
  if (body.indexOf(text, start + 1) >= 0)
    return fault(
      'target.selection',
      'the body has this text more than once: select a longer piece, or give start and end',
    );
  return selected(body, start, start + text.length);
}

const selected = (body: string, start: number, end: number): Found => ({
  ok: true,
  found: [{ key: 'p1', kind: 'selection', start, end, text: body.slice(start, end) }],
});
