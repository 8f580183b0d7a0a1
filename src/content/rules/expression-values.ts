import { isMap } from '../../text/json.ts';
import { isPlaceholder } from '../template/placeholder.ts';
import type { SubjectSize } from './expression-shape.ts';
import type { RuleSubject } from './types.ts';

/** Nothing, blank, an empty list or mapping, or only a placeholder. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '' || isPlaceholder(value);
  if (Array.isArray(value)) return value.every(isBlank);
  return isMap(value) && Object.keys(value).length === 0;
}

export const wordsOf = (text: string): number => text.match(/\S+/g)?.length ?? 0;

/** Each once. */
export function duplicatesOf(list: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  const twice = new Map<string, unknown>();
  for (const entry of list) {
    const key = JSON.stringify(entry);
    if (seen.has(key)) twice.set(key, entry);
    seen.add(key);
  }
  return [...twice.values()];
}

const sizes = new WeakMap<RuleSubject, SubjectSize>();

/** The longest list or mapping and the longest text. */
export function sizeOf(subject: RuleSubject): SubjectSize {
  const known = sizes.get(subject);
  if (known) return known;
  const size = { list: 0, text: subject.markdown_body.length };
  measure(subject.fields, size);
  measure(subject.production_status, size);
  sizes.set(subject, size);
  return size;
}

function measure(value: unknown, size: SubjectSize): void {
  if (typeof value === 'string') size.text = Math.max(size.text, value.length);
  else if (typeof value === 'object' && value !== null) {
    const entries = Object.values(value);
    size.list = Math.max(size.list, entries.length);
    for (const entry of entries) measure(entry, size);
  }
}
