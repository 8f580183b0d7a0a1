import { isMap } from '../../text/json.ts';
/** Nothing but one bracketed instruction, such as `[Who raised them?]`. `[[type:id]]` is a reference and `[a], [b]` is text. */
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

/** It held nothing but instructions. */
function isHollow(value: unknown): boolean {
  if (value === '' || value === null) return true;
  if (Array.isArray(value)) return value.every(isHollow);
  return isMap(value) && Object.values(value).every(isHollow);
}

/** At any depth. */
function holdsPlaceholder(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPlaceholder);
  if (isMap(value)) return Object.values(value).some(holdsPlaceholder);
  return isPlaceholder(value);
}

/** '' in their place; list entries that are empty or held nothing else are left out. */
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

/** One a line; undefined if there are none. */
export function placeholderOf(value: unknown): string | undefined {
  if (typeof value === 'string') return isPlaceholder(value) ? value.trim() : undefined;
  if (!Array.isArray(value)) return undefined;
  const found = value.filter(isPlaceholder).map((entry) => String(entry).trim());
  return found.length === 0 ? undefined : found.join('\n');
}

/** Deeply, so that the value can be shared without copies. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const entry of Object.values(value)) frozen(entry);
  }
  return value;
}
