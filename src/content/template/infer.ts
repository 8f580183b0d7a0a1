import { isMap, type JsonMap } from '../../text/json.ts';
import { frozen, placeholderOf, withoutPlaceholders } from './placeholder.ts';
import type { FieldType, ItemType } from './types.ts';

/** Read off the default. `entries` holds the typed keys of an object or of an array's objects. */
export interface Inferred {
  type: FieldType;
  nullable: boolean;
  items?: ItemType;
  default: unknown;
  placeholder?: string;
  entries?: JsonMap;
}

function typeOfValue(value: unknown): FieldType {
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as FieldType;
  if (Array.isArray(value)) return 'array';
  return isMap(value) ? 'object' : 'string';
}

function itemsOf(list: readonly unknown[]): ItemType {
  const types = new Set(list.filter((entry) => entry !== null).map(typeOfValue));
  const [first = 'string'] = types;
  return types.size > 1 ? 'any' : first;
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}

/** Those of a single example, or those with scalars of one type throughout. */
function sharedEntries(examples: readonly JsonMap[]): JsonMap {
  const all: JsonMap = Object.assign({}, ...examples);
  if (examples.length === 1) return all;
  const agreed = Object.entries(all).filter(([key, value]) =>
    examples.every((example) => {
      const other = example[key];
      return other === undefined || (isScalar(other) && isScalar(value) && typeof other === typeof value);
    }),
  );
  return Object.fromEntries(agreed);
}

/** The table of spec 1 §2.2. */
export function inferFrom(value: unknown): Inferred {
  const placeholder = placeholderOf(value);
  const inferred: Inferred = {
    type: typeOfValue(value),
    nullable: value === null,
    default: frozen(withoutPlaceholders(value)),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
  if (Array.isArray(value)) {
    const items = itemsOf(value);
    const entries = items === 'object' ? sharedEntries(value.filter(isMap)) : undefined;
    return { ...inferred, items, ...(entries === undefined ? {} : { entries }) };
  }
  return isMap(value) && Object.keys(value).length > 0 ? { ...inferred, entries: value } : inferred;
}
