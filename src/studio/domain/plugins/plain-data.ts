import { isMap, type JsonMap } from '../../../text/json.ts';

/** Deeper data would be work without end for whatever walks through it. */
const DEEPEST = 64;

interface Room {
  left: number;
}

/** In place of a copy. Nothing that another window sends is a symbol. */
export const TOO_LARGE = Symbol('too large');

/** Thrown within `plainCopy` alone. */
const REFUSED = Symbol('refused');

/**
 * A copy of what another window has sent, as JSON has it, with files as they are. Undefined where it is deeper or
 * anything else than JSON: other objects, a loop, or the key `__proto__`, which some code takes for the prototype.
 * @param most characters of its JSON, about; `TOO_LARGE` for more
 */
export function plainCopy(data: unknown, most: number): unknown {
  try {
    return copied(data, { left: most }, 0);
  } catch (fault) {
    if (fault === REFUSED) return undefined;
    if (fault === TOO_LARGE) return TOO_LARGE;
    throw fault;
  }
}

function copied(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') return taking(room, value.length + 2, value);
  if (typeof value === 'number') return taking(room, 8, Number.isFinite(value) ? value : null);
  if (typeof value === 'boolean' || value === null) return taking(room, 5, value);
  if (depth >= DEEPEST) throw REFUSED;
  if (Array.isArray(value)) return copiedList(value, room, depth);
  if (isPlain(value)) return copiedMap(value, room, depth);
  // A file is a handle: nothing of it is read here.
  if (value instanceof Blob) return taking(room, 64, value);
  throw REFUSED;
}

function copiedList(list: readonly unknown[], room: Room, depth: number): unknown[] {
  // A list may claim any length without an entry.
  taking(room, list.length, list);
  return Array.from(list, (entry) => copied(entry ?? null, room, depth + 1));
}

function copiedMap(map: JsonMap, room: Room, depth: number): JsonMap {
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(map)) {
    if (key === '__proto__') throw REFUSED;
    taking(room, key.length + 4, key);
    if (map[key] !== undefined) entries.push([key, copied(map[key], room, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

function taking<T>(room: Room, size: number, value: T): T {
  room.left -= size;
  if (room.left < 0) throw TOO_LARGE;
  return value;
}

function isPlain(value: unknown): value is JsonMap {
  if (!isMap(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
