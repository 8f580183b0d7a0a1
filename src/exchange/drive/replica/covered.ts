import { buffer } from 'node:stream/consumers';
import type { Drive, DriveFile } from '../../../platform/drive/drive.ts';

/**
 * The content that a write covered unseen: somebody else wrote it after the revision `before`. Null if there is none. A write whose
 * answer was cut is sent again, so that the same bytes may be there twice.
 */
export async function coveredBy(
  drive: Pick<Drive, 'revisions' | 'download'>,
  { fileId, headRevisionId }: Pick<DriveFile, 'fileId' | 'headRevisionId'>,
  before: string,
): Promise<Uint8Array | null> {
  const revisions = await drive.revisions(fileId);
  const at = (revisionId: string | null) => revisions.findIndex((each) => each.revisionId === revisionId);
  const [own, from] = [at(headRevisionId), at(before) + 1];
  const last = revisions
    .slice(from, Math.max(own, 0))
    .findLast(({ md5 }) => md5 === null || md5 !== revisions[own]?.md5);
  if (last === undefined) return null;
  return buffer((await drive.download(fileId, { revisionId: last.revisionId })).body);
}
