import { folderOf } from '../../../platform/files/paths.ts';
import { nameOf } from '../../../text/paths.ts';
import type { Outcome } from '../../sync/index.ts';
import { sessionOf } from './content-session.ts';
import { isDriveError } from './drive-failures.ts';
import { type DriveItem, dropDriveItems } from './drive-items.store.ts';
import { write } from './drive-parts.ts';
import { plannedItem } from './item-of-file.ts';
import { type EntityOrFile, noteFile, type PutParts, stored, unsent } from './put-parts.ts';
import { ChangedHere, contentOf } from './texts.ts';
import { untrash } from './untrash.ts';
import { typeOf, writeContent } from './write-content.ts';

/** The row of a file that is created next. It is stored before, so that a repeated creation uses the same id. */
export const plannedFile = (
  fileId: string,
  { base, local }: EntityOrFile,
  { path, parentId }: { path: string; parentId: string },
): DriveItem => ({
  ...plannedItem({ fileId, name: nameOf(path), parentId }, path),
  kind: 'file',
  size: local.file?.size ?? null,
  key: base.key,
  writing: local.sha256,
});

/** Creates a planned file. One that an earlier attempt created is brought to the content. */
export async function createFile(parts: PutParts, change: EntityOrFile, row: DriveItem): Promise<Outcome> {
  const { drive, project } = parts;
  const forget = () => write(parts, (db) => dropDriveItems(db, project, [row.file_id]));
  const content = contentOf(parts, change);
  const path = row.path ?? '';
  const parentId = parts.folders.get(folderOf(path)) ?? row.parent_id;
  if (content === null || parentId === null) {
    await forget();
    return unsent();
  }
  try {
    const file = { fileId: row.file_id, name: row.name, parentId, mimeType: typeOf(path) };
    const session = sessionOf(parts, row, change.local.sha256);
    const made = await drive.create(file, { ...content, session });
    const there = made.isTrashed ? await untrash(drive, made) : made;
    const isAsSent = there.sha256 === change.local.sha256;
    await noteFile(parts, row, there, { unwanted: isAsSent ? null : there.sha256 });
    return isAsSent ? stored() : unsent();
  } catch (error) {
    if (isDriveError(error, 'exists')) return takeUp(parts, change, row);
    if (isDriveError(error, 'not_found', 'forbidden', 'refused', 'quota') || error instanceof ChangedHere)
      await forget();
    // Its folder went meanwhile, which the next changes say.
    if (isDriveError(error, 'not_found')) return unsent();
    throw error;
  }
}

/** An earlier attempt created it, and its answer was lost. */
async function takeUp(parts: PutParts, change: EntityOrFile, row: DriveItem): Promise<Outcome> {
  const file = await parts.drive.file(row.file_id);
  if (file === null || file.isTrashed) {
    await write(parts, (db) => dropDriveItems(db, parts.project, [row.file_id]));
    return unsent();
  }
  const noted = await noteFile(parts, row, file);
  return writeContent(parts, change, {
    ...noted,
    unwanted: file.sha256 === row.writing ? file.sha256 : null,
  });
}
