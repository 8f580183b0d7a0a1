import { stale } from '../../kit/errors.ts';
import { type HeaderValue, headerNames } from '../../kit/http/etag.ts';
import type { EntityRow } from '../records/index.ts';
import { stampIn } from '../texts/index.ts';

type Tagged = Pick<EntityRow, 'version' | 'file_checksum'>;

/** Identifies one state of an entity by its version and the start of its file's hash. */
export const etagOf = (row: Tagged): string => `"${row.version}-${row.file_checksum.slice(7, 23)}"`;

/** The ETag of an invalid entity: its validity can change without its file, so caches must tell the two apart. */
const invalidEtagOf = (row: Tagged): string => etagOf(row).replace(/"$/, '-invalid"');

/** The ETag of an entity's stored JSON text. */
export function etagIn(json: string): string {
  const stamp = stampIn(json);
  return stamp.is_valid ? etagOf(stamp) : invalidEtagOf(stamp);
}

/** Throws 412 if the caller has seen another state than the present one. */
export function requireMatch(
  ifMatch: HeaderValue,
  row: Tagged & Pick<EntityRow, 'entity_type' | 'entity_id'>,
): void {
  if (ifMatch === undefined || headerNames(ifMatch, etagOf(row)) || headerNames(ifMatch, invalidEtagOf(row)))
    return;
  throw stale(
    `${row.entity_type} '${row.entity_id}' is now at version ${row.version}: read it again and repeat your change`,
    { code: 'stale', headers: { etag: etagOf(row) } },
  );
}
