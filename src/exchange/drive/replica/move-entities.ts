import { folderOf } from '../../../platform/files/paths.ts';
import { nameOf } from '../../../text/paths.ts';
import { fileKey, isEntityKey, isMoved } from '../../sync/index.ts';
import { applyFiles } from './apply-files.ts';
import { madeFolders } from './drive-folders.ts';
import { childrenOf, type DriveItem, findDriveItems, putDriveItems } from './drive-items.store.ts';
import { type DriveParts, read, write } from './drive-parts.ts';
import { entitiesIn } from './entity-folders.ts';
import type { IdPool } from './id-pool.ts';
import type { EntityOrFile } from './put-parts.ts';

interface Move {
  change: EntityOrFile;
  row: DriveItem;
  to: string;
}

/** Moves entities that lie where they were last seen. The others, and those whose new place is taken, stay. */
export async function moveEntities(
  parts: DriveParts,
  ids: IdPool,
  changes: readonly EntityOrFile[],
  rows: ReadonlyMap<string, DriveItem>,
): Promise<void> {
  const wanted = changes.flatMap((change): Move[] => {
    const row = rows.get(change.base.key);
    const { base, local } = change;
    const canMove = row !== undefined && row.path === base.path && row.unseen === 0 && row.version > 0;
    return canMove && isEntityKey(base.key) && isMoved(base, local) ? [{ change, row, to: local.path }] : [];
  });
  if (wanted.length === 0) return;
  const moves = await possible(parts, wanted);
  const parents = moves.map(({ to, change, row }) =>
    isWhole(change, row, to) ? folderOf(folderOf(to)) : folderOf(to),
  );
  const folders = await madeFolders(parts, ids, parents);
  for (const move of moves) await moveOne(parts, move, folders);
}

const isWhole = ({ keepsFolder }: EntityOrFile, { path }: DriveItem, to: string): boolean =>
  !keepsFolder && folderOf(path ?? '') !== folderOf(to);

/** Without those whose folder is that of an entity which does not leave it. */
async function possible(parts: DriveParts, wanted: readonly Move[]): Promise<Move[]> {
  let moves = [...wanted];
  const taken = await entitiesIn(
    parts,
    moves.map(({ to }) => folderOf(to)),
  );
  for (let isNew = true; isNew; ) {
    const leaving = new Set(moves.map(({ row }) => row.file_id));
    const places = new Map(moves.map((move) => [folderOf(move.to), move]));
    const next = moves.filter((move) => {
      const folder = folderOf(move.to);
      const holders = (taken.get(folder) ?? []).filter(({ file_id }) => file_id !== move.row.file_id);
      return places.get(folder) === move && holders.every(({ file_id }) => leaving.has(file_id));
    });
    isNew = next.length < moves.length;
    moves = next;
  }
  return moves;
}

async function moveOne(
  parts: DriveParts,
  { change, row, to }: Move,
  folders: ReadonlyMap<string, string>,
): Promise<void> {
  const { drive, project } = parts;
  const name = nameOf(to);
  if (isWhole(change, row, to)) {
    const [folder] = await read(parts, (db) => findDriveItems(db, project, [row.parent_id ?? '']));
    if (folder === undefined || folder.parent_id === null) return;
    const parent = folders.get(folderOf(folderOf(to)));
    if (parent === undefined) return;
    const moved = await drive.update(folder.file_id, {
      name: nameOf(folderOf(to)),
      ...(parent !== folder.parent_id && { move: { to: parent, from: folder.parent_id } }),
    });
    await applyFiles(parts, [moved], '');
    if (name !== row.name) await applyFiles(parts, [await drive.update(row.file_id, { name })], '');
    await renameKeys(parts, folder.file_id);
    return;
  }
  const parent = folders.get(folderOf(to));
  if (parent === undefined || row.parent_id === null) return;
  const moved = await drive.update(row.file_id, {
    name,
    ...(parent !== row.parent_id && { move: { to: parent, from: row.parent_id } }),
  });
  await applyFiles(parts, [moved], '');
}

/** Files went along with their folder. Here they are known by their new paths, which are sent after the moves. */
async function renameKeys(parts: DriveParts, folderId: string): Promise<void> {
  const { project } = parts;
  for (let level = [folderId]; level.length > 0; ) {
    const below = await read(parts, (db) => childrenOf(db, project, level));
    const files = below.flatMap((row) =>
      row.kind === 'file' && row.key?.startsWith('f:') && row.path !== null
        ? [{ ...row, key: fileKey(row.path) }]
        : [],
    );
    await write(parts, (db) => putDriveItems(db, project, files));
    level = below.filter(({ kind }) => kind === 'folder').map(({ file_id }) => file_id);
  }
}
