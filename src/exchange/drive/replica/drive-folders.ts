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
  const found = new Map([['', root.folderId]]);
  const problems = new Map<string, string>();
  for (const level of foldersOf(folders)) {
    const there = await read(parts, (db) => itemsAt(db, project, level));
    const known = there.filter(isUsable).sort((one, other) => other.created_at - one.created_at);
    for (const { path, file_id, version } of known) if (version > 0) found.set(path ?? '', file_id);
    const begun = new Map(known.filter(({ version }) => version === 0).map((row) => [row.path, row.file_id]));
    const missing = level.filter((path) => !found.has(path));
    for (const some of partsOf(missing, BATCH)) {
      const planned = new Map<string, NewFolder>();
      for (const path of some) {
        const parentId = found.get(folderOf(path));
        const problem = problems.get(folderOf(path));
        if (problem !== undefined) problems.set(path, problem);
        if (parentId === undefined) continue;
        planned.set(path, {
          fileId: begun.get(path) ?? (await ids.next()),
          name: nameOf(path),
          parentId,
        });
      }
      const made = await makeFolders(parts, planned, problems);
      for (const { path, file_id } of made) found.set(path ?? '', file_id);
    }
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
