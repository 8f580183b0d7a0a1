import { mergeDocuments } from '../../content/merge/index.ts';

/** The text that a step produces, or the reason why it cannot. */
export type Target = { text: string } | { reason: string };

/**
 * Returns the step's planned text, merged with changes of others since. If they overlap, it returns the reason, and
 * neither side wins.
 */
export function targetText(step: { base: string | null; text: string | null }, local: string): Target {
  const merged = mergeDocuments(step.base ?? '', local, step.text ?? '');
  if (merged.clean) return { text: merged.text };
  const fields = [...new Set(merged.conflicts.map(({ field }) => field))].join(', ');
  return { reason: `it was changed since, and both changes are about ${fields}` };
}
