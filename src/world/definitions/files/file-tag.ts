import { stale } from '../../../kit/errors.ts';
import { type HeaderValue, headerNames } from '../../../kit/http/etag.ts';
import { Reply } from '../../../kit/route.ts';

/** The `ETag` of a file: its checksum. */
export const tagOf = (checksum: string): string => `"${checksum}"`;

/** A reply about a file, with its `ETag`. */
export const tagged = (content: { checksum: string }, status?: number): Reply =>
  new Reply(content, { headers: { etag: tagOf(content.checksum) }, ...(status && { status }) });

/** Whether an `If-Match` header names the present file; null stands for no file. */
export const names = (header: HeaderValue, checksum: string | null): boolean =>
  checksum !== null && headerNames(header, tagOf(checksum));

/** 412 when the caller has seen another text than the present one. */
export function requireTag(
  header: HeaderValue,
  checksum: string | null,
  name: string,
  [was, it]: readonly [string, string] = ['was', 'it'],
): void {
  if (header === undefined || names(header, checksum)) return;
  throw stale(`The ${name} ${was} changed since you read ${it}: read ${it} again and repeat your change`, {
    code: 'stale',
    ...(checksum !== null && { headers: { etag: tagOf(checksum) } }),
  });
}
