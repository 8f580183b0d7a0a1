import type { DriveFile } from '../../../platform/drive/drive.ts';
import { type DriveItem, findDriveItems } from './drive-items.store.ts';
import { byId, type DriveParts, read, write } from './drive-parts.ts';
import { itemOfFile } from './item-of-file.ts';
import { storeChanged } from './settle-paths.ts';
import { settledFile } from './settle-write.ts';

/** In place of a page token: after a write of this install, which is handed out with the page that tells of it. */
export const OWN = 'own';

/** Files below the connected folder, and those that were there before. */
function ofProject(
  files: readonly DriveFile[],
  known: ReadonlyMap<string, DriveItem>,
  rootId: string,
): DriveFile[] {
  const inside = new Set([rootId, ...known.keys()]);
  const found: DriveFile[] = [];
  let rest = files.filter(({ fileId }) => fileId !== rootId);
  for (let size = -1; size < found.length; ) {
    size = found.length;
    const outside: DriveFile[] = [];
    for (const file of rest)
      if (inside.has(file.fileId) || inside.has(file.parentId ?? '')) {
        inside.add(file.fileId);
        found.push(file);
      } else outside.push(file);
    rest = outside;
  }
  return found;
}

/**
 * Without a parent, a file may have been moved to where this app sees nothing. But if its folder cannot be seen any more, that was
 * not shared any longer, and the file is where it was.
 */
async function withKnownParents(
  parts: DriveParts,
  files: readonly DriveFile[],
  known: ReadonlyMap<string, DriveItem>,
): Promise<DriveFile[]> {
  const parentOf = ({ fileId, parentId }: DriveFile) =>
    parentId === null ? (known.get(fileId)?.parent_id ?? null) : null;
  const asked = new Set(files.flatMap((file) => parentOf(file) ?? []));
  const unseen = new Set<string>();
  for (const fileId of asked) if ((await parts.drive.file(fileId)) === null) unseen.add(fileId);
  return files.map((file) => {
    const parentId = parentOf(file);
    return parentId !== null && unseen.has(parentId) ? { ...file, parentId } : file;
  });
}

/** Notes how files are now. Resolves to folders that came here with contents of which nothing is known yet. */
export async function applyFiles(
  parts: DriveParts,
  files: readonly DriveFile[],
  token: string,
): Promise<string[]> {
  const { project, root } = parts;
  const ids = files.flatMap(({ fileId, parentId }) => (parentId === null ? [fileId] : [fileId, parentId]));
  const known = byId(await read(parts, (db) => findDriveItems(db, project, ids)));
  const own = await withKnownParents(parts, ofProject(files, known, root.folderId), known);
  if (own.length === 0) return [];
  const items: DriveItem[] = [];
  for (const file of own) {
    const row = known.get(file.fileId);
    items.push(itemOfFile(await settledFile(parts, row, file), row, token));
  }
  const stored = await write(parts, async (db) => {
    await storeChanged(db, project, { rootId: root.folderId, items, known, token });
    return findDriveItems(
      db,
      project,
      items.map(({ file_id }) => file_id),
    );
  });
  const wasHere = ({ file_id }: DriveItem) => known.get(file_id)?.path != null;
  return stored
    .filter((item) => item.kind === 'folder' && item.path !== null && !wasHere(item))
    .map(({ file_id }) => file_id);
}
