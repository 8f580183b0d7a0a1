import { findFault } from '../frontmatter/check.ts';
import type { Note, Refusal } from './types.ts';

/** Nearest first. */
export const foldersOf = (path: string): string[] => path.split('/').slice(0, -1).reverse();

/** Null for pasted text. */
export function titleOfPath(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return name === '' ? null : name;
}

/** From 1. */
export function lineOfOffset(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** A row or object of a larger file. Values that no file can hold are refused by name. */
export function noteOfRecord(
  source: { path: string; place: string; groups: string[] },
  entries: Iterable<readonly [string, unknown]>,
  body = '',
): Note {
  const properties: Record<string, unknown> = {};
  const refused: Refusal[] = [];
  for (const [key, value] of entries) {
    const fault = findFault(Object.fromEntries([[key, value]]), false);
    if (fault) refused.push({ place: key, reason: fault.reason, value, property: key });
    else properties[key] = value;
  }
  return { ...source, title: null, properties, tags: [], body, bodyLine: 1, text: null, refused };
}
