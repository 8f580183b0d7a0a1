import { isMap } from '../../text/json.ts';
/**
 * True if a string is nothing but one bracketed instruction, such as `[Who raised them?]`, over one line or more.
 * `[[type:id]]` is a reference and `[a], [b]` is text.
 */
export function isPlaceholder(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const text = value.trim();
  if (text.length < 3 || !text.startsWith('[') || !text.endsWith(']') || text.startsWith('[[')) return false;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i += 1) {
    const char = text.charCodeAt(i);
    if (char === 91) depth += 1;
    else if (char === 93) depth -= 1;
    if (depth === 0) return false;
  }
  return depth === 1;
}

/** An entry of a list that held nothing but instructions. */
function isHollow(value: unknown): boolean {
  if (value === '' || value === null) return true;
  if (Array.isArray(value)) return value.every(isHollow);
  return isMap(value) && Object.values(value).every(isHollow);
}

/** True if a value contains a bracketed instruction anywhere. */
function holdsPlaceholder(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPlaceholder);
  if (isMap(value)) return Object.values(value).some(holdsPlaceholder);
  return isPlaceholder(value);
}

/** The value without its bracketed instructions: '' in their place, list entries made of nothing else, and empty ones, left out. */
export function withoutPlaceholders(value: unknown): unknown {
  if (isPlaceholder(value)) return '';
  if (Array.isArray(value)) {
    return value
      .filter((entry) => entry !== null)
      .filter((entry) => !(holdsPlaceholder(entry) && isHollow(withoutPlaceholders(entry))))
      .map(withoutPlaceholders);
  }
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutPlaceholders(entry)]));
}

/** The instructions of a scalar or of a list's entries, one a line; undefined if there are none. */
export function placeholderOf(value: unknown): string | undefined {
  if (typeof value === 'string') return isPlaceholder(value) ? value.trim() : undefined;
  if (!Array.isArray(value)) return undefined;
  const found = value.filter(isPlaceholder).map((entry) => String(entry).trim());
  return found.length === 0 ? undefined : found.join('\n');
}

/** Freezes a value all the way down and gives it back, so that it can be shared without copies. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const entry of Object.values(value)) frozen(entry);
  }
  return value;
}
