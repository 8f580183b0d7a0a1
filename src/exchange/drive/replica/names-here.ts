import { extensionOf } from '../../../content/paths/index.ts';
import type { DriveItem } from './drive-items.store.ts';

/** Told apart by this, an exported document never takes the place of a file. */
const DOCUMENT_SUFFIX = '.document.md';

/** Looks like a slash, which names in a drive may hold. */
const SLASH = '\u2215';

/** The name here if nothing else in the folder has it. */
export function ownName({ name, kind }: Pick<DriveItem, 'name' | 'kind'>): string {
  const own = name.replaceAll('/', SLASH);
  return kind === 'document' ? `${own}${DOCUMENT_SUFFIX}` : own;
}

/** The order of files by age, the oldest first. */
export const byAge = (one: DriveItem, other: DriveItem): number => {
  // Files about to be created come last.
  const at = ({ version, created_at }: DriveItem) => (version === 0 ? Number.POSITIVE_INFINITY : created_at);
  const [a, b] = [at(one), at(other)];
  if (a === b) return one.file_id < other.file_id ? -1 : 1;
  return a < b ? -1 : 1;
};

/** `map.png` as `map_2.png`. */
function numbered(name: string, number: number): string {
  const extension = extensionOf(name);
  if (extension === '') return `${name}_${number}`;
  return `${name.slice(0, -extension.length - 1)}_${number}.${extension}`;
}

/** A drive has equal names in one folder. The oldest keeps its name here, the others are told apart by numbers. */
export function namesIn(children: readonly DriveItem[]): Map<DriveItem, string> {
  const groups = Map.groupBy(children, ownName);
  const taken = new Set(groups.keys());
  const names = new Map<DriveItem, string>();
  for (const [name, equal] of groups)
    for (const [at, item] of equal.sort(byAge).entries()) {
      let number = at + 1;
      let own = at === 0 ? name : numbered(name, number);
      while (at > 0 && taken.has(own)) {
        number += 1;
        own = numbered(name, number);
      }
      taken.add(own);
      names.set(item, own);
    }
  return names;
}

/** The reason for another name here than in the drive; undefined if they are the same. */
export function whyRenamed(item: DriveItem, nameHere: string): string | undefined {
  if (nameHere !== ownName(item))
    return `the drive has this name more than once in the same folder: a newer one lies here as ${nameHere}`;
  if (item.name.includes('/')) return `its name in the drive holds a slash: it lies here as ${nameHere}`;
  return undefined;
}
