import { mergeDocuments } from '../../content/merge/index.ts';

/** What a step makes of a file's text, or why it can make nothing of it. */
export type Target = { text: string } | { reason: string };

/**
 * The text that a step leads to: as planned where nobody else wrote, else both changes together. What overlaps is
 * named, and then neither side wins.
 */
export function targetText(step: { base: string | null; text: string | null }, local: string): Target {
  const merged = mergeDocuments(step.base ?? '', local, step.text ?? '');
  if (merged.clean) return { text: merged.text };
  const fields = [...new Set(merged.conflicts.map(({ field }) => field))].join(', ');
  return { reason: `it was changed since, and both changes are about ${fields}` };
}
