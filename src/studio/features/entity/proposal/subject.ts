import { bracketsIn } from '../../../../content/template/brackets.ts';
import type { Target } from '../../../data/proposals.ts';
import { BODY, isWithin, keysOf, PRODUCTION } from '../../../domain/field-path.ts';

/** A part of an entity for which a model is asked. */
export type Subject =
  | { kind: 'field'; field: string }
  | { kind: 'selection'; start: number; end: number; text: string }
  | { kind: 'placeholder'; start: number; end: number; text: string }
  | { kind: 'text' }
  | { kind: 'empty' };

export interface Selection {
  start: number;
  end: number;
}

const LONGEST_PLACEHOLDER = 2_000;

/** The field, the selection or the placeholder at the cursor, or else the whole text; without a cursor all empty fields. */
export function subjectAt(focused: string | null, selection: Selection | null, body: string): Subject {
  if (focused === null || isWithin(focused, PRODUCTION)) return { kind: 'empty' };
  if (focused !== BODY && !focused.startsWith(`${BODY}#`))
    return { kind: 'field', field: keysOf(focused)[0] ?? focused };
  if (selection === null) return { kind: 'text' };
  const { start, end } = selection;
  if (start < end) return { kind: 'selection', start, end, text: body.slice(start, end) };
  return placeholderAt(start, body) ?? { kind: 'text' };
}

/** Looked for around the cursor alone, since a text may be long. */
function placeholderAt(position: number, body: string): Subject | null {
  const from = Math.max(0, position - LONGEST_PLACEHOLDER);
  const found = bracketsIn(body.slice(from, position + LONGEST_PLACEHOLDER)).find(
    ({ start, end }) => from + start <= position && position <= from + end,
  );
  return found
    ? { kind: 'placeholder', start: from + found.start, end: from + found.end, text: found.text }
    : null;
}

/** The field that a project's settings may forbid; null for several. */
export function fieldOf(subject: Subject): string | null {
  if (subject.kind === 'field') return subject.field;
  return subject.kind === 'empty' ? null : BODY;
}

/** Null for a passage that is no longer in the text. */
export function targetOf(subject: Subject, body: string): Target | null {
  if (subject.kind === 'field') return { fields: [subject.field] };
  if (subject.kind === 'empty') return { fields: 'empty' };
  if (subject.kind === 'text') return { body: true };
  const { kind, text } = subject;
  // Named by its words, every placeholder with the same ones would be meant.
  if (kind === 'placeholder' && isOnceIn(body, text)) return { placeholders: [text] };
  return passageOf(subject, body);
}

/** The text may have changed since it was selected, before the passage too. */
function passageOf({ start, end, text }: Selection & { text: string }, body: string): Target | null {
  if (body.slice(start, end) === text) return { selection: { start, end } };
  if (!isOnceIn(body, text)) return null;
  const at = body.indexOf(text);
  return { selection: { start: at, end: at + text.length } };
}

function isOnceIn(body: string, text: string): boolean {
  const at = body.indexOf(text);
  return at >= 0 && !body.includes(text, at + 1);
}
