import canonicalize from 'canonicalize';
import { isMap } from '../text/json.ts';

/** JSON cannot carry these: null for NaN and infinities, U+FFFD for half a surrogate pair. */
function carriable(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(carriable);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.toWellFormed(), carriable(entry)]),
  );
}

/** Never throws for values from YAML or JSON. */
function canonicalJson(value: unknown): string {
  try {
    return canonicalize(value) ?? 'null';
  } catch {
    return canonicalize(carriable(value)) ?? 'null';
  }
}

/** An entity's `checksum` is the SHA-256 of this text. */
export function canonicalContent(fields: Readonly<Record<string, unknown>>, markdownBody: string): string {
  return canonicalJson({ fields, markdown_body: markdownBody });
}
