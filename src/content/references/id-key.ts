/** The key of a map that holds the id, where a reference says more than that, such as what lies between the two. */
export function idKeyOf(type: string, map: Record<string, unknown>): string | undefined {
  const keys = ['entity_id', 'id', `${type}_id`, type, 'target_id', 'target'];
  return keys.find((key) => typeof map[key] === 'string');
}
