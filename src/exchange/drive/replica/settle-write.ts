import { sha256Hex } from '../../../kit/crypto.ts';
import type { DriveFile } from '../../../platform/drive/drive.ts';
import { coveredBy } from './covered.ts';
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
  const bytes = await coveredBy(drive, file, before);
  if (bytes === null || [known.sha256, known.writing].includes(sha256Hex(bytes))) return file;
  return drive.update(file.fileId, { content: { ...contentOfBytes(bytes), mimeType: file.mimeType } });
}
