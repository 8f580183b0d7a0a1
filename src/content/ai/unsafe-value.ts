import { isMap } from '../../text/json.ts';
import { isReservedKey, textFault } from '../frontmatter/index.ts';

const DEEPEST = 32;

/** Why a value of an answer cannot be stored at all; null if it can. */
export function unsafeValue(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return textFault(value);
  if (typeof value !== 'object' || value === null) return null;
  if (depth > DEEPEST) return `it is nested more than ${DEEPEST} levels deep`;
  const reserved = isMap(value) ? Object.keys(value).find(isReservedKey) : undefined;
  if (reserved !== undefined) return `the key "${reserved}" is reserved`;
  for (const entry of Object.values(value)) {
    const found = unsafeValue(entry, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
