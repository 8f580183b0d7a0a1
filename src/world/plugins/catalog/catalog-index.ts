import { type Static, Type } from 'typebox';
import { decodeUtf8 } from '../../../content/frontmatter/index.ts';
import { createChecker } from '../../../kit/http/validation.ts';
import { closed } from '../../../kit/schemas.ts';
import { CatalogEntry } from './catalog-entry.ts';
import { CatalogFault } from './catalog-fault.ts';
import { faultOfEntry } from './entry-faults.ts';

/** Bytes of `catalog.json`. */
export const LARGEST_INDEX = 2 * 1024 * 1024;

/** Raised with a change that earlier readers cannot take: they refuse names that they do not know. */
const FORMAT = 1;

const Index = closed({
  format: Type.Literal(FORMAT),
  /** Grows with each version of the index. */
  sequence: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  items: Type.Array(CatalogEntry),
});

export interface CatalogIndex {
  sequence: number;
  /** By id, in the order of the file. */
  entries: ReadonlyMap<string, CatalogEntry>;
}

const check = createChecker(Index);

/** Reads the bytes of a `catalog.json`, all of it or nothing: a CatalogFault says what is wrong and where. */
export function readCatalogIndex(bytes: Uint8Array): CatalogIndex {
  if (bytes.length > LARGEST_INDEX)
    throw new CatalogFault('catalog_too_large', `The catalog has more than ${LARGEST_INDEX} bytes`);
  const value = parse(bytes);
  requireFormat(value);
  const [error] = check(value) ?? [];
  if (error) throw invalid(error.field === '' ? error.message : `${error.field} ${error.message}`);
  return indexOf(value as Static<typeof Index>);
}

function parse(bytes: Uint8Array): unknown {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) throw invalid(decoded.problem.reason);
  try {
    return JSON.parse(decoded.text);
  } catch {
    throw invalid('it is no JSON');
  }
}

function requireFormat(value: unknown): void {
  const { format }: { format?: unknown } = Object(value);
  if (typeof format === 'number' && format > FORMAT)
    throw invalid(`it is written in format ${format}, and this version reads ${FORMAT}: update Canonry`);
}

function indexOf({ sequence, items }: Static<typeof Index>): CatalogIndex {
  const entries = new Map<string, CatalogEntry>();
  for (const [at, entry] of items.entries()) {
    const fault = faultOfEntry(entry);
    if (fault !== null) throw invalid(`items.${at}.${fault}`);
    if (entries.has(entry.id))
      throw invalid(`items.${at}.id is '${entry.id}', which an earlier item has too`);
    entries.set(entry.id, entry);
  }
  return { sequence, entries };
}

const invalid = (fault: string): CatalogFault =>
  new CatalogFault('catalog_invalid', `The catalog cannot be used: ${fault}`);
