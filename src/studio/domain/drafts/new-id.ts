import { idFromName } from '../../../content/import/words.ts';

const LONGEST_ID = 100;
/** A word of the routes. */
const RESERVED = 'schema';

/** The id that a new entity asks for: `Mira Vale` → `mira_vale`; the type's name where no letter of it can be in one. */
export function idOfName(name: string, type: string): string {
  const id = idFromName(name) || type;
  return id === RESERVED ? `${type}_${id}` : id;
}

/** The next to try where one is taken: `mira_vale` → `mira_vale_2` → `mira_vale_3`. */
export function nextId(id: string): string {
  const [, stem = id, digits = '1'] = /^(.+)_(\d{1,4})$/.exec(id) ?? [];
  const suffix = `_${Number(digits) + 1}`;
  return `${stem.slice(0, LONGEST_ID - suffix.length)}${suffix}`;
}
