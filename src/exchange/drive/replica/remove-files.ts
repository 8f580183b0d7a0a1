import { type Change, isEntityKey, type Outcome } from '../../sync/index.ts';
import { applyFiles, OWN } from './apply-files.ts';
import { isDriveError } from './drive-failures.ts';
import { childrenOf, type DriveItem, dropDriveItems, findDriveItems } from './drive-items.store.ts';
import { type DriveParts, read, write } from './drive-parts.ts';
import { noteFile, refused, stored, superseded, unsent } from './put-parts.ts';

/** Puts a file into the drive's trash if it is what was last seen. An edit of it beats the deletion. */
export async function removeFile(parts: DriveParts, { base }: Change, found: DriveItem): Promise<Outcome> {
  const { drive, project } = parts;
  if (found.kind === 'document')
    return refused('it is exported from a document of the drive: delete the document there');
  if (found.unseen === 1 || found.version === 0) {
    await write(parts, (db) => dropDriveItems(db, project, [found.file_id]));
    return stored();
  }
  const now = found.writing === null ? undefined : await drive.file(found.file_id);
  if (now === null) return unsent();
  const row = now ? await noteFile(parts, found, now) : found;
  const isOurs = row.sha256 === base.sha256;
  if (!isOurs || (isEntityKey(base.key) && row.path !== base.path)) return superseded(true);
  return (await trashAsSeen(parts, row)) ? stored() : superseded(true);
}

/** Only after a file lies in the trash is it certain what went there: one that somebody has just changed is taken out again. */
export async function trashAsSeen(parts: DriveParts, row: DriveItem): Promise<boolean> {
  const { drive } = parts;
  const trashed = await drive.update(row.file_id, { trashed: true });
  const isAsSeen =
    trashed.headRevisionId === row.head_revision &&
    trashed.name === row.name &&
    trashed.parentId === row.parent_id;
  const file = isAsSeen ? trashed : await drive.update(row.file_id, { trashed: false });
  await applyFiles(parts, [file], OWN);
  return isAsSeen;
}

function nullIfNotAllowed(error: unknown): null {
  if (isDriveError(error, 'forbidden', 'refused', 'not_found')) return null;
  throw error;
}

/** An entity's folder lies at least this deep. */
export const ENTITY_DEPTH = 2;

/** Folders that this app made go to the trash once nothing visible is left in them. */
export async function removeEmptyFolders(parts: DriveParts, folderIds: readonly string[]): Promise<void> {
  const { drive, project } = parts;
  for (let level = [...new Set(folderIds)]; level.length > 0; ) {
    const folders = await read(parts, (db) => findDriveItems(db, project, level));
    const below = await read(parts, (db) => childrenOf(db, project, level));
    const used = new Set(below.filter(({ path }) => path !== null).map(({ parent_id }) => parent_id));
    const empty = folders.filter(
      ({ file_id, own, path }) =>
        own === 1 && path !== null && path.split('/').length >= ENTITY_DEPTH && !used.has(file_id),
    );
    for (const { file_id } of empty) {
      const trashed = await drive.update(file_id, { trashed: true }).catch(nullIfNotAllowed);
      if (trashed) await applyFiles(parts, [trashed], OWN);
    }
    level = [...new Set(empty.flatMap(({ parent_id }) => parent_id ?? []))];
  }
}
