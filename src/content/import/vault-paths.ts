import { nameOf } from '../../text/paths.ts';

export interface VaultPaths<Value> {
  add(path: string, value: Value): void;
  /**
   * Beside the note, from the top of the vault, or, without a folder, as the end of one path. A path that leads outside or
   * to nothing matches nothing, even if a file has its base name.
   */
  find(path: string, notePath: string, kind: 'wiki' | 'markdown'): Value | 'ambiguous' | undefined;
}

const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();

export function createVaultPaths<Value>(): VaultPaths<Value> {
  const byPath = new Map<string, Value[]>();
  const byName = new Map<string, { key: string; value: Value }[]>();

  const only = (values: readonly Value[]): Value | 'ambiguous' | undefined =>
    values.length > 1 ? 'ambiguous' : values[0];
  const at = (path: string | undefined) =>
    path === undefined ? undefined : only(byPath.get(keyOf(path)) ?? []);
  const byEnd = (path: string) => {
    const key = keyOf(path);
    const named = byName.get(nameOf(key)) ?? [];
    return only(named.filter((each) => each.key.endsWith(`/${key}`)).map(({ value }) => value));
  };

  return {
    add(path, value) {
      const key = keyOf(path);
      byPath.set(key, [...(byPath.get(key) ?? []), value]);
      const named = byName.get(nameOf(key));
      if (named === undefined) byName.set(nameOf(key), [{ key, value }]);
      else named.push({ key, value });
    },
    find(path, notePath, kind) {
      const near = at(joined(notePath.split('/').slice(0, -1), path));
      const isAnchored = /^(?:\.{0,2}\/)/.test(path);
      if (near !== undefined || isAnchored) return near;
      const isWhole = kind === 'markdown' && path.includes('/');
      return at(joined([], path)) ?? (isWhole ? undefined : byEnd(path));
    },
  };
}

/** With `.` and `..` resolved; undefined if it leads out of the import. */
function joined(folder: readonly string[], path: string): string | undefined {
  const parts = path.startsWith('/') ? [] : [...folder];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
