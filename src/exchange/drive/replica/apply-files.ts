import type { DriveFile } from '../../../platform/drive/drive.ts';
import { type DriveItem, findDriveItems } from './drive-items.store.ts';
import { byId, type DriveParts, read, write } from './drive-parts.ts';
import { itemOfFile } from './item-of-file.ts';
import { storeChanged } from './settle-paths.ts';

/** In place of a page token: after a write of this install, which is handed out with the page that tells of it. */
export const OWN = 'own';

/** Files below the connected folder, and those that were there before. */
function ofProject(
  files: readonly DriveFile[],
  known: ReadonlyMap<string, DriveItem>,
  rootId: string,
): DriveFile[] {
  const inside = new Set([rootId, ...known.keys()]);
  let rest = files.filter(({ fileId }) => fileId !== rootId);
  const found: DriveFile[] = [];
  for (let isNew = true; isNew; ) {
    const next = rest.filter(({ fileId, parentId }) => inside.has(fileId) || inside.has(parentId ?? ''));
    rest = rest.filter((file) => !next.includes(file));
    for (const { fileId } of next) inside.add(fileId);
    found.push(...next);
    isNew = next.length > 0 && rest.length > 0;
  }
  return found;
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
  const own = ofProject(files, known, root.folderId);
  if (own.length === 0) return [];
  const items = own.map((file) => itemOfFile(file, known.get(file.fileId), token));
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
