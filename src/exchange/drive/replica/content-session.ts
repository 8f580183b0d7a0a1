import type { ContentSession } from '../../../platform/drive/drive.ts';
import { changeDriveItems, type DriveItem } from './drive-items.store.ts';
import type { DriveItemsDb } from './drive-items.tables.ts';
import type { DriveParts } from './drive-parts.ts';

/** A large upload goes on where an earlier process left it, but only with the same content. */
export const sessionOf = (
  { project }: DriveParts,
  { file_id, writing, session }: DriveItem,
  sha256: string,
): ContentSession => ({
  path: writing === sha256 ? session : null,
  // Not durably: a note that a power cut loses costs nothing but a second upload.
  opened: (path) =>
    project.database.write(
      (db: DriveItemsDb) => changeDriveItems(db, project, [file_id], { writing: sha256, session: path }),
      { durable: false },
    ),
});
