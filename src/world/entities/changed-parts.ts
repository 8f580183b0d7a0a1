import { type ReadResult, readDocument } from '../../content/frontmatter/index.ts';
import { deepEqual } from '../../text/json.ts';

/** The names of the fields that differ between two texts of an entity's file, and `markdown_body`. */
export const changedParts = (before: string, after: string): string[] =>
  changedInDocuments(readDocument(before), readDocument(after));

export function changedInDocuments(old: ReadResult, next: ReadResult): string[] {
  if (!old.ok || !next.ok) return ['*'];
  const keys = new Set([...Object.keys(old.data), ...Object.keys(next.data)]);
  const fields = [...keys].filter((key) => !deepEqual(old.data[key], next.data[key]));
  return old.body === next.body ? fields : [...fields, 'markdown_body'];
}
