import type { Drive, DriveFile } from '../../../platform/drive/drive.ts';

/** Takes a file out of the trash, with the folder that took it there: an edit beats a deletion. */
export async function untrash(drive: Drive, file: DriveFile): Promise<DriveFile> {
  for (let at: DriveFile | null = file; at?.isTrashed; ) {
    if (at.isTrashedItself) await drive.update(at.fileId, { trashed: false });
    at = at.parentId === null ? null : await drive.file(at.parentId);
  }
  return (await drive.file(file.fileId)) ?? file;
}
