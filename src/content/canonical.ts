import canonicalize from 'canonicalize';
import { isMap } from '../text/json.ts';

/** Values that JSON cannot carry become what JSON.stringify and UTF-8 would write: null for NaN and infinities, U+FFFD for half a surrogate pair. */
function carriable(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(carriable);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.toWellFormed(), carriable(entry)]),
  );
}

/** RFC 8785 JSON of a value. Never throws for values that came out of YAML or JSON. */
function canonicalJson(value: unknown): string {
  try {
    return canonicalize(value) ?? 'null';
  } catch {
    return canonicalize(carriable(value)) ?? 'null';
  }
}

/** The text that an entity's `checksum` is the SHA-256 of: RFC 8785 JSON of its own fields and body. */
export function canonicalContent(fields: Readonly<Record<string, unknown>>, markdownBody: string): string {
  return canonicalJson({ fields, markdown_body: markdownBody });
}
