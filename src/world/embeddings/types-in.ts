/** The types of a comma-separated list; null without one. */
export function typesIn(list: string | undefined): string[] | null {
  if (list === undefined) return null;
  const named = list.split(',').map((type) => type.trim());
  return [...new Set(named)].filter((type) => type !== '');
}
