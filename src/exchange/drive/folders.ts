import { eachAtOnce } from '../../kit/each-at-once.ts';
import { conflict, forbidden, invalidField, notFound } from '../../kit/errors.ts';
import { type Drive, DriveError, type DriveFile } from '../../platform/drive/drive.ts';

/** The drive's name for its root, whatever its id. */
const ROOT = 'root';
const AT_ONCE = 8;
/** Folders above one that are looked at. */
const DEEPEST = 30;
const PAGE = 1_000;
/** 20,000 files. */
const MOST_PAGES = 20;
const MOST_NAMES = 200;

const noFolder = (folderId: string) =>
  notFound(
    `There is no folder '${folderId}' in the drive, or Canonry may not see it: pick it in the drive first`,
    {
      code: 'no_such_folder',
    },
  );

/** 404, 422, 409 or 403 unless files can be made in it. `field` is the one of the request that names it. */
export async function writableFolder(
  drive: Drive,
  folderId: string,
  field = 'folder_id',
): Promise<DriveFile> {
  const folder = await drive.file(folderId);
  if (folder === null) throw noFolder(folderId);
  if (!folder.isFolder) throw invalidField(field, `names '${folder.name}', which is no folder`);
  if (folder.isTrashed)
    throw conflict(`The folder '${folder.name}' is in the drive's trash`, { code: 'folder_trashed' });
  if (!folder.canEdit)
    throw forbidden(`You may not change the folder '${folder.name}' in the drive`, {
      code: 'drive_forbidden',
    });
  return folder;
}

/** In another one, or at the root of the drive, which need not be visible to make something there. */
export async function createFolder(drive: Drive, name: string, parentId = ROOT): Promise<DriveFile> {
  if (parentId !== ROOT) await writableFolder(drive, parentId, 'parent_id');
  const [fileId = ''] = await drive.newIds(1);
  const [made] = await drive.createFolders([{ fileId, name, parentId }]);
  if (made === undefined || made instanceof DriveError)
    throw (
      made ??
      new DriveError(
        'unavailable',
        'The drive did not say whether it made the folder: look before you try again',
      )
    );
  return made;
}

/** The nearest first, as far as they can be seen. */
export async function foldersAbove(drive: Drive, { parentId }: DriveFile): Promise<string[]> {
  const above: string[] = [];
  let next = parentId;
  while (next !== null && above.length < DEEPEST && !above.includes(next)) {
    above.push(next);
    next = (await drive.file(next))?.parentId ?? null;
  }
  return above;
}

/**
 * Those that lie in no other folder that can be seen, except the roots of drives. What a user has picked may lie anywhere, so a list
 * of what is in the root would miss it.
 */
export async function topmost(drive: Drive, folders: readonly DriveFile[]): Promise<DriveFile[]> {
  const rootId = (await drive.file(ROOT))?.fileId;
  /** The root of a shared drive has the drive's id; no list has the root itself. */
  const isAtRoot = ({ parentId, driveId }: DriveFile): boolean =>
    parentId === null || parentId === rootId || parentId === driveId;
  const deeper = folders.filter((folder) => !isAtRoot(folder));
  const seen = new Set(folders.map(({ fileId }) => fileId));
  const others = new Set(deeper.flatMap(({ parentId }) => parentId ?? []).filter((id) => !seen.has(id)));
  await eachAtOnce(others, AT_ONCE, async (id) => {
    if ((await drive.file(id)) !== null) seen.add(id);
  });
  return folders.filter((folder) => isAtRoot(folder) || !seen.has(folder.parentId ?? ''));
}

export interface FolderCount {
  folders_found: number;
  files_found: number;
  /** The first 200. */
  folder_names: string[];
}

/** Counts its direct contents, up to 20,000 files and folders. */
export async function countFolder(drive: Drive, folderId: string): Promise<FolderCount> {
  const count: FolderCount = { folders_found: 0, files_found: 0, folder_names: [] };
  let pageToken: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { files, nextPageToken } = await drive.files({
      parentId: folderId,
      pageSize: PAGE,
      ...(pageToken !== null && { pageToken }),
    });
    const folders = files.filter(({ isFolder }) => isFolder);
    count.folders_found += folders.length;
    count.files_found += files.length - folders.length;
    const names = folders.map(({ name }) => name);
    count.folder_names.push(...names.slice(0, MOST_NAMES - count.folder_names.length));
    pageToken = nextPageToken;
    if (pageToken === null) break;
  }
  return count;
}
