import { folderOf } from '../../../platform/files/paths.ts';
import { nameOf } from '../../../text/paths.ts';
import { fileKey, isEntityKey, isMoved, type Outcome } from '../../sync/index.ts';
import { applyFiles, OWN } from './apply-files.ts';
import { type MadeFolders, madeFolders } from './drive-folders.ts';
import { childrenOf, type DriveItem, findDriveItems, putDriveItems } from './drive-items.store.ts';
import { type DriveParts, read, write } from './drive-parts.ts';
import { entitiesIn } from './entity-folders.ts';
import type { IdPool } from './id-pool.ts';
import { type EntityOrFile, outcomeOf, refused, unsent } from './put-parts.ts';

interface Move {
  change: EntityOrFile;
  row: DriveItem;
  to: string;
}

/**
 * Moves entities that lie where they were last seen. The others, and those whose new place is taken, stay. Resolves to the outcomes of
 * those that the drive does not move.
 */
export async function moveEntities(
  parts: DriveParts,
  ids: IdPool,
  changes: readonly EntityOrFile[],
  rows: ReadonlyMap<string, DriveItem>,
): Promise<Map<EntityOrFile, Outcome>> {
  const failed = new Map<EntityOrFile, Outcome>();
  const wanted = changes.flatMap((change): Move[] => {
    const row = rows.get(change.base.key);
    const { base, local } = change;
    const canMove = row !== undefined && row.path === base.path && row.unseen === 0 && row.version > 0;
    return canMove && isEntityKey(base.key) && isMoved(base, local) ? [{ change, row, to: local.path }] : [];
  });
  if (wanted.length === 0) return failed;
  const moves = await possible(parts, wanted);
  const whole = moves.filter(isWhole);
  const alone = moves.filter((move) => !isWhole(move));
  const above = await madeFolders(
    parts,
    ids,
    whole.map(({ to }) => folderOf(folderOf(to))),
  );
  const tried = async (move: Move, work: Promise<Outcome | null>): Promise<void> => {
    const outcome = await work.catch(outcomeOf);
    if (outcome) failed.set(move.change, outcome);
  };
  for (const move of whole) await tried(move, moveFolder(parts, move, above));
  // Only now, since some of these may be the folders that have just moved.
  const folders = await madeFolders(
    parts,
    ids,
    alone.map(({ to }) => folderOf(to)),
  );
  for (const move of alone) await tried(move, moveFile(parts, move, folders));
  await renameKeys(
    parts,
    whole.flatMap(({ row }) => row.parent_id ?? []),
  );
  return failed;
}

const isWhole = ({ change, row, to }: Move): boolean =>
  !change.keepsFolder && folderOf(row.path ?? '') !== folderOf(to);

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

async function moveFolder(
  parts: DriveParts,
  { row, to }: Move,
  { folders, problems }: MadeFolders,
): Promise<Outcome | null> {
  const { drive, project } = parts;
  const [folder] = await read(parts, (db) => findDriveItems(db, project, [row.parent_id ?? '']));
  const above = folderOf(folderOf(to));
  const parent = folders.get(above);
  if (folder === undefined || folder.parent_id === null || parent === undefined)
    return notMoved(problems.get(above));
  const moved = await drive.update(folder.file_id, {
    name: nameOf(folderOf(to)),
    ...(parent !== folder.parent_id && { move: { to: parent, from: folder.parent_id } }),
  });
  await applyFiles(parts, [moved], OWN);
  const name = nameOf(to);
  if (name !== row.name) await applyFiles(parts, [await drive.update(row.file_id, { name })], OWN);
  return null;
}

async function moveFile(
  parts: DriveParts,
  { row, to }: Move,
  { folders, problems }: MadeFolders,
): Promise<Outcome | null> {
  const parent = folders.get(folderOf(to));
  if (parent === undefined || row.parent_id === null) return notMoved(problems.get(folderOf(to)));
  const moved = await parts.drive.update(row.file_id, {
    name: nameOf(to),
    ...(parent !== row.parent_id && { move: { to: parent, from: row.parent_id } }),
  });
  await applyFiles(parts, [moved], OWN);
  return null;
}

const notMoved = (problem: string | undefined): Outcome =>
  problem === undefined ? unsent() : refused(problem);

/** Files went along with their folders. Here they are known by their new paths, which are sent after the moves. */
async function renameKeys(parts: DriveParts, folderIds: readonly string[]): Promise<void> {
  const { project } = parts;
  for (let level = folderIds; level.length > 0; ) {
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
