import { buffer } from 'node:stream/consumers';
import type { Drive, DriveFile } from '../../../platform/drive/drive.ts';

/** The content that a write covered unseen: somebody else wrote it after the revision `before`. Null if there is none. */
export async function coveredBy(
  drive: Pick<Drive, 'revisions' | 'download'>,
  { fileId, headRevisionId }: Pick<DriveFile, 'fileId' | 'headRevisionId'>,
  before: string,
): Promise<Uint8Array | null> {
  const revisions = await drive.revisions(fileId);
  const own = revisions.findIndex(({ revisionId }) => revisionId === headRevisionId);
  const last = revisions[own - 1];
  if (last === undefined || last.revisionId === before) return null;
  return buffer((await drive.download(fileId, { revisionId: last.revisionId })).body);
}
