import { stale } from '../../kit/errors.ts';
import { type HeaderValue, headerNames } from '../../kit/http/etag.ts';

/** The `ETag` of a file: its checksum. */
export const tagOf = (checksum: string): string => `"${checksum}"`;

/** Whether an `If-Match` header names the present file; null stands for no file. */
export const names = (header: HeaderValue, checksum: string | null): boolean =>
  checksum !== null && headerNames(header, tagOf(checksum));

/** 412 when the caller has seen another text than the present one. */
export function requireTag(
  header: HeaderValue,
  checksum: string | null,
  what: 'template' | 'rule file' | 'layout' = 'template',
): void {
  if (header === undefined || names(header, checksum)) return;
  throw stale(`The ${what} was changed since you read it: read it again and repeat your change`, {
    code: 'stale',
    ...(checksum !== null && { headers: { etag: tagOf(checksum) } }),
  });
}
