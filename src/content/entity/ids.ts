import { titleOf } from '../template/index.ts';

const ENTITY_ID = /^[a-z0-9][a-z0-9_]{0,99}$/;

/** Reserved by routes. */
const RESERVED_IDS: ReadonlySet<string> = new Set(['schema']);

/** True if an id may be given to an entity: lower-case letters, digits and underscores, at most 100, no word of the routes. */
export function isEntityId(id: string): boolean {
  return ENTITY_ID.test(id) && !RESERVED_IDS.has(id);
}

/** `john_doe` → `John Doe`, for a file without a name. */
export function nameFromId(id: string): string {
  return titleOf(id) || id;
}
