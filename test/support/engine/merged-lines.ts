/** Line by line; null if both sides changed one. */
export function mergedLines(base: string, ours: string, theirs: string): string | null {
  const [from, one, other] = [base, ours, theirs].map((text) => text.split('\n'));
  if (!from || !one || !other || from.length !== one.length || from.length !== other.length) return null;
  const merged = one.map((line, at) => {
    if (line === other[at] || other[at] === from[at]) return line;
    return line === from[at] ? (other[at] ?? null) : null;
  });
  return merged.includes(null) ? null : merged.join('\n');
}
