const FENCE = /`{3,}/g;

/** Marks text as data for a model. The fence is longer than any in the text, so the text cannot end it. */
export function fenced(label: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(FENCE)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${label}\n${text}\n${fence}`;
}
