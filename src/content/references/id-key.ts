/** In a reference written as a map, which may also describe the relationship. */
export function idKeyOf(type: string, map: Record<string, unknown>): string | undefined {
  const keys = ['entity_id', 'id', `${type}_id`, type, 'target_id', 'target'];
  return keys.find((key) => typeof map[key] === 'string');
}
