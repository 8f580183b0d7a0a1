import { isMap } from '../../../text/json.ts';
import { LONGEST_ID, linksOf } from '../../references/links.ts';
import { isPlaceholder } from '../../template/index.ts';
import type { Link, LinkRole, Path } from '../model.ts';

/** More than any real field has. */
const MOST_TARGETS = 1000;

/** Ids as text, in lists, in maps with further keys, or as `[[links]]`. */
export function targetsOf(value: unknown, role: LinkRole, type: string | null, path: Path): Link[] {
  if (typeof value === 'string') return targetsOfText(value, role, type, path);
  if (Array.isArray(value)) {
    return value
      .slice(0, MOST_TARGETS)
      .flatMap((entry, index) =>
        Array.isArray(entry) ? [] : targetsOf(entry, role, type, [...path, index]),
      );
  }
  if (!isMap(value)) return [];
  const keys = ['entity_id', 'id', `${type}_id`, `${type}`, 'target_id', 'target', 'item', 'character'];
  const key = keys.find((candidate) => typeof value[candidate] === 'string');
  return key === undefined ? [] : targetsOfText(String(value[key]), role, type, [...path, key]);
}

function targetsOfText(text: string, role: LinkRole, type: string | null, path: Path): Link[] {
  if (text.includes('[[')) {
    return linksOf(text).map((link) => ({ role, path, type: link.type ?? type, id: link.id }));
  }
  const id = text.trim();
  if (id === '' || id.length > LONGEST_ID || isPlaceholder(id)) return [];
  return [{ role, path, type, id }];
}

export function mentionsIn(value: unknown, path: Path): Link[] {
  if (typeof value === 'string') {
    return value.includes('[[') ? targetsOfText(value, 'mention', null, path) : [];
  }
  if (Array.isArray(value)) return value.flatMap((entry, index) => mentionsIn(entry, [...path, index]));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => mentionsIn(entry, [...path, key]));
}
