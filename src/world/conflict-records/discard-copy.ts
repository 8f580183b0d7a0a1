import { checksumOf } from '../../kit/crypto.ts';
import type { Project } from '../records/index.ts';
import { COPIES_BIN } from '../texts/index.ts';
import type { ConflictRow } from './conflicts.tables.ts';

/** Moves a resolved conflict's copy to the recycle bin; its text is in the history. A copy changed since stays. */
export async function discardCopy(
  project: Project,
  { copy_path: path, conflict_id: id, remote_checksum }: ConflictRow,
): Promise<void> {
  if (path === null || (await project.files.stat(path)) === undefined) return;
  if (checksumOf(await project.files.read(path)) !== remote_checksum) return;
  const target = `${COPIES_BIN}/${id}-${path.slice(path.lastIndexOf('/') + 1)}`;
  // A tool may bring the copy back; the same bytes are in the bin then.
  const isThere = (await project.files.stat(target)) !== undefined;
  await (isThere ? project.files.remove(path) : project.files.move(path, target));
}
