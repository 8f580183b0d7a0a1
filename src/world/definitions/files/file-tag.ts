import { stale } from '../../../kit/errors.ts';
import { type HeaderValue, headerNames } from '../../../kit/http/etag.ts';
import { Reply } from '../../../kit/route.ts';

export const tagOf = (checksum: string): string => `"${checksum}"`;

export const tagged = (content: { checksum: string }, status?: number): Reply =>
  new Reply(content, { headers: { etag: tagOf(content.checksum) }, ...(status && { status }) });

/** True if an `If-Match` header matches the present file; null means that there is none. */
export const names = (header: HeaderValue, checksum: string | null): boolean =>
  checksum !== null && headerNames(header, tagOf(checksum));

/** Throws 412 if the caller has seen a different text. */
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
