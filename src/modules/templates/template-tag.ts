import { stale } from '../../kit/errors.ts';

/** The `ETag` of a file: its checksum. */
export const tagOf = (checksum: string): string => `"${checksum}"`;

export type TagHeader = string | string[] | undefined;

/** Whether an `If-Match` header names the present file; null stands for no file. */
export function names(header: TagHeader, checksum: string | null): boolean {
  if (header === undefined || checksum === null) return false;
  const tags = [header].flat().join(',').split(',');
  return tags.some((tag) => tag.trim() === '*' || tag.trim() === tagOf(checksum));
}

/** 412 when the caller has seen another text than the present one. */
export function requireTag(header: TagHeader, checksum: string | null): void {
  if (header === undefined || names(header, checksum)) return;
  throw stale('The template was changed since you read it: read it again and repeat your change', {
    code: 'stale',
    ...(checksum !== null && { headers: { etag: tagOf(checksum) } }),
  });
}
