/** Identifies what is synced as a unit: an entity by type and id, any other file by its path. */
export type SyncKey = string;

export const entityKey = (type: string, id: string): SyncKey => `e:${type}/${id}`;
export const fileKey = (path: string): SyncKey => `f:${path}`;

export const isEntityKey = (key: SyncKey): boolean => key.startsWith('e:');

export type NamedKey = { kind: 'entity'; type: string; id: string } | { kind: 'file'; path: string };

export function namedKey(key: SyncKey): NamedKey {
  const name = key.slice(2);
  if (key.startsWith('f:')) return { kind: 'file', path: name };
  const slash = name.indexOf('/');
  return { kind: 'entity', type: name.slice(0, slash), id: name.slice(slash + 1) };
}

export const shownKey = (key: SyncKey): string => key.slice(2);
