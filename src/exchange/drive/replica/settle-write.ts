import { buffer } from 'node:stream/consumers';
import { sha256Hex } from '../../../kit/crypto.ts';
import type { DriveFile } from '../../../platform/drive/drive.ts';
import type { DriveItem } from './drive-items.store.ts';
import type { DriveParts } from './drive-parts.ts';
import { contentOfBytes } from './texts.ts';

/**
 * After a write whose answer was lost, nobody looked whether it covered what somebody else had just written. If it did, that comes back
 * as the newest content, and the own one is sent again as an ordinary change, which is merged.
 */
export async function settledFile(
  { drive }: DriveParts,
  known: DriveItem | undefined,
  file: DriveFile,
): Promise<DriveFile> {
  const before = known?.head_revision ?? null;
  if (before === null || known?.writing == null || file.sha256 !== known.writing) return file;
  const revisions = await drive.revisions(file.fileId);
  const own = revisions.findIndex(({ revisionId }) => revisionId === file.headRevisionId);
  const last = revisions[own - 1];
  if (last === undefined || last.revisionId === before) return file;
  const bytes = await buffer((await drive.download(file.fileId, { revisionId: last.revisionId })).body);
  if (sha256Hex(bytes) === known.sha256 || sha256Hex(bytes) === known.writing) return file;
  return drive.update(file.fileId, { content: { ...contentOfBytes(bytes), mimeType: file.mimeType } });
}
