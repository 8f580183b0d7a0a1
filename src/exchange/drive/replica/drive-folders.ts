import { partsOf } from '../../../kit/parts.ts';
import type { NewFolder } from '../../../platform/drive/drive.ts';
import { DriveError } from '../../../platform/drive/drive.ts';
import { folderOf } from '../../../platform/files/paths.ts';
import { nameOf } from '../../../text/paths.ts';
import { applyFiles, OWN } from './apply-files.ts';
import { isDriveError } from './drive-failures.ts';
import { type DriveItem, dropDriveItems, itemsAt, putDriveItems } from './drive-items.store.ts';
import { type DriveParts, read, write } from './drive-parts.ts';
import type { IdPool } from './id-pool.ts';
import { itemOfFile, plannedItem } from './item-of-file.ts';
import { olderFolders } from './older-folders.ts';
import { ENTITY_DEPTH } from './remove-files.ts';

/** The most that one request creates. */
const BATCH = 100;

/** Every folder of these, the upper ones first. */
function foldersOf(folders: readonly string[]): string[][] {
  const levels: Set<string>[] = [];
  for (const folder of folders)
    for (let path = folder; path !== ''; path = folderOf(path)) {
      const depth = path.split('/').length - 1;
      levels[depth] ??= new Set();
      levels[depth].add(path);
    }
  return levels.map((paths) => [...paths]);
}

const isUsable = ({ kind, unseen }: DriveItem): boolean => kind === 'folder' && unseen === 0;

export interface MadeFolders {
  /** Ids by path. */
  folders: Map<string, string>;
  /** The reasons for missing ones, by path. */
  problems: Map<string, string>;
}

/** The folders at these paths; those that are missing are made. Of equal names the oldest is used. */
export async function madeFolders(
  parts: DriveParts,
  ids: IdPool,
  folders: readonly string[],
): Promise<MadeFolders> {
  const { project, root } = parts;
  const levels = foldersOf(folders);
  const there = await read(parts, (db) => itemsAt(db, project, levels.flat()));
  const known = there.filter(isUsable).sort((one, other) => other.created_at - one.created_at);
  const isMade = ({ version }: DriveItem) => version > 0;
  const found = new Map([['', root.folderId]]);
  for (const { path, file_id } of known.filter(isMade)) found.set(path ?? '', file_id);
  const begun = new Map(known.filter((row) => !isMade(row)).map((row) => [row.path, row.file_id]));
  const problems = new Map<string, string>();
  const missing = levels.map((level) => level.filter((path) => !found.has(path)));
  // Another install may fill the same folder. A single entity's folder is not worth the request: two files of an entity become one anyway.
  const [first, ...others] = missing.flat();
  const isShared = others.length > 0 || first?.split('/').length !== ENTITY_DEPTH;
  for (const some of missing.flatMap((level) => [...partsOf(level, BATCH)])) {
    const planned = new Map<string, NewFolder>();
    for (const path of some) {
      const parentId = found.get(folderOf(path));
      const problem = problems.get(folderOf(path));
      if (problem !== undefined) problems.set(path, problem);
      if (parentId === undefined) continue;
      planned.set(path, { fileId: begun.get(path) ?? (await ids.next()), name: nameOf(path), parentId });
    }
    const made = await makeFolders(parts, planned, problems);
    const older = isShared ? await olderFolders(parts, made) : new Map<string, string>();
    for (const { path, file_id } of made) found.set(path ?? '', older.get(file_id) ?? file_id);
  }
  return { folders: found, problems };
}

/** The ids are stored first: a creation whose answer was lost is repeated with the same ones. */
async function makeFolders(
  parts: DriveParts,
  planned: ReadonlyMap<string, NewFolder>,
  problems: Map<string, string>,
): Promise<DriveItem[]> {
  if (planned.size === 0) return [];
  const { project, drive } = parts;
  const rows = [...planned].map(([path, folder]): DriveItem => plannedItem(folder, path));
  await write(parts, (db) => putDriveItems(db, project, rows));
  const replies = await drive.createFolders([...planned.values()]);
  const made: DriveItem[] = [];
  for (const [at, reply] of replies.entries()) {
    const row = rows[at];
    if (row === undefined) continue;
    const file =
      reply instanceof DriveError && reply.code === 'exists' ? await drive.file(row.file_id) : reply;
    if (isDriveError(file, 'forbidden', 'refused', 'not_found')) {
      await write(parts, (db) => dropDriveItems(db, project, [row.file_id]));
      problems.set(row.path ?? '', file.message);
      continue;
    }
    if (file instanceof DriveError) throw file;
    // It was made by an attempt before, and somebody has changed it since.
    if (file === null || file.isTrashed || file.parentId !== row.parent_id || file.name !== row.name) {
      if (file) await applyFiles(parts, [file], OWN);
      else await write(parts, (db) => dropDriveItems(db, project, [row.file_id]));
      throw new DriveError('unavailable', `The folder ${row.path} was changed in the drive just now`);
    }
    made.push({ ...itemOfFile(file, row, null), path: row.path });
  }
  await write(parts, (db) => putDriveItems(db, project, made));
  return made;
}
