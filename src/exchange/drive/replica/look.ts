import { isMassDeletion } from '../../../content/replica/index.ts';
import { pages } from '../../../world/records/index.ts';
import { ReplicaError } from '../../sync/index.ts';
import { applyFiles } from './apply-files.ts';
import { changeDriveItems, type DriveItem, findDriveItems, seenAfter } from './drive-items.store.ts';
import { byId, type DriveParts, read, write } from './drive-parts.ts';
import { listFolders } from './list-folders.ts';
import { NOT_VISIBLE } from './read-items.ts';
import { requireRoot } from './root-folder.ts';

const PAGE = 500;

/** Lists the whole folder. What was known and is not listed is looked up one by one: a listing may come back short. */
export async function lookAtAll(parts: DriveParts, token: string): Promise<void> {
  await requireRoot(parts);
  const listed = await listFolders(parts, [parts.root.folderId], token);
  const { project } = parts;
  const missing: DriveItem[] = [];
  let known = 0;
  const readPage = (after: string, limit: number) =>
    read(parts, (db) => seenAfter(db, project, after, limit));
  for await (const page of pages<DriveItem, string>('', readPage, ({ file_id }) => file_id, PAGE)) {
    known += page.length;
    missing.push(...page.filter(({ file_id }) => !listed.has(file_id)));
  }
  if (isMassDeletion(missing.length, known) && !parts.force)
    throw new ReplicaError(
      'refused',
      `${missing.length} of ${known} files and folders are missing in the answer of the drive. Nothing was changed; force a sync to look for each of them`,
    );
  await lookFor(parts, missing, token);
}

async function lookFor(parts: DriveParts, items: readonly DriveItem[], token: string): Promise<void> {
  for (const { file_id } of items) {
    const file = await parts.drive.file(file_id);
    if (file === null) await markUnseen(parts, [file_id]);
    else await applyFiles(parts, [file], token);
  }
}

/** Invisible files may be deleted, or no longer shared: they stay here, and are reported. */
async function markUnseen(parts: DriveParts, fileIds: readonly string[]): Promise<void> {
  const unseen = { unseen: 1, pending: null, problem: NOT_VISIBLE };
  await write(parts, (db) => changeDriveItems(db, parts.project, fileIds, unseen));
}

/** Notes what happened since the page token. Resolves to the next one, and whether anything happened. */
export async function lookSince(
  parts: DriveParts,
  token: string,
): Promise<{ token: string; isNews: boolean; hasMore: boolean }> {
  const { drive, root } = parts;
  const { changes, pageToken, hasMore } = await drive.changes(token);
  const files = changes.flatMap(({ file }) => file ?? []);
  const removed = changes.flatMap(({ fileId, file }) => (file === null ? [fileId] : []));
  const known = byId(await read(parts, (db) => findDriveItems(db, parts.project, removed)));
  const isRoot = changes.some(({ fileId }) => fileId === root.folderId);
  if (isRoot || known.size > 0 || files.some(({ isTrashed }) => isTrashed)) await requireRoot(parts);
  await markUnseen(parts, [...known.keys()]);
  const unlisted = await applyFiles(parts, files, token);
  await listFolders(parts, unlisted, token);
  return { token: pageToken, isNews: changes.length > 0, hasMore };
}
