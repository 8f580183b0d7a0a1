import { ReplicaError } from '../../sync/index.ts';
import type { DriveParts } from './drive-parts.ts';

/** Ends the round unless the connected folder is there: with it, everything in it would seem deleted. */
export async function requireRoot({ drive, root }: Pick<DriveParts, 'drive' | 'root'>): Promise<void> {
  const folder = await drive.file(root.folderId);
  const shown = `The folder “${root.name}” of the drive`;
  if (folder === null)
    throw new ReplicaError(
      'forbidden',
      `${shown} cannot be seen any more: it was deleted, or is no longer shared. Nothing was changed here; choose a folder again`,
    );
  if (folder.isTrashed)
    throw new ReplicaError(
      'forbidden',
      `${shown} lies in the trash. Nothing was changed here; restore it there, or choose another folder`,
    );
}
