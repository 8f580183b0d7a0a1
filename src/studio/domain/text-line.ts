import { BODY } from './field-path.ts';
import type { Evidence, Finding } from './findings.ts';

/** The line of a file at which its text begins, from 1. */
export const firstLineOf = (file: { content: string; markdown_body: string }): number =>
  file.content.slice(0, file.content.length - file.markdown_body.length).split('\n').length;

/** The line of the file of a finding about the text of an entity; undefined for any other finding. */
export const lineInText = ({ evidence }: Finding, entity: { type: string; id: string }): number | undefined =>
  evidence.find((one) => isInText(one, entity))?.line ?? undefined;

const isInText = (
  { entity: about, field, line }: Evidence,
  { type, id }: { type: string; id: string },
): boolean => field === BODY && line !== null && about?.type === type && about.id === id;

/**
 * Where a line of one text stands in another version of it, from 1. Where the line itself has changed, it is as far as it was
 * from the nearest line that both have once.
 */
export function sameLine(before: string, after: string, line: number): number {
  if (before === after) return line;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const start = countEqual(old, now);
  if (line <= start) return line;
  const end = countEqual(old.slice(start).reverse(), now.slice(start).reverse());
  if (line > old.length - end) return line + now.length - old.length;
  const near = nearLine(old, now, line - 1) + 1;
  return Math.max(start + 1, Math.min(near, now.length - end));
}

function countEqual(lines: readonly string[], others: readonly string[]): number {
  const shorter = Math.min(lines.length, others.length);
  let count = 0;
  while (count < shorter && lines[count] === others[count]) count += 1;
  return count;
}

/** Both from 0. */
function nearLine(old: readonly string[], now: readonly string[], index: number): number {
  const [once, onceNow] = [linesOnce(old), linesOnce(now)];
  for (let distance = 0; distance < old.length; distance += 1)
    for (const at of [index - distance, index + distance]) {
      const text = old[at] ?? '';
      const found = once.get(text) === at ? onceNow.get(text) : undefined;
      if (found !== undefined) return found + index - at;
    }
  return index;
}

function linesOnce(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, text] of lines.entries()) {
    if (places.has(text)) repeated.add(text);
    places.set(text, index);
  }
  for (const text of repeated) places.delete(text);
  return places;
}
