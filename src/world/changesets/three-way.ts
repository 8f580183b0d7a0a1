import { mergeDocuments } from '../../content/merge/index.ts';

export type Target = { text: string } | { reason: string };

/** The planned text, merged with others' changes since. If they overlap, the reason, and neither side wins. */
export function targetText(step: { base: string | null; text: string | null }, local: string): Target {
  const merged = mergeDocuments(step.base ?? '', local, step.text ?? '');
  if (merged.clean) return { text: merged.text };
  const fields = [...new Set(merged.conflicts.map(({ field }) => field))].join(', ');
  return { reason: `it was changed since, and both changes affect ${fields}` };
}
