import { eachAtOnce } from '../../../kit/each-at-once.ts';
import type { DriveError } from '../../../platform/drive/drive.ts';
import { folderOf } from '../../../platform/files/paths.ts';
import { type Change, isEntityKey, type Outcome } from '../../sync/index.ts';
import { createFile, plannedFile } from './create-file.ts';
import { isDriveError } from './drive-failures.ts';
import { madeFolders } from './drive-folders.ts';
import { type DriveItem, itemsAt, itemsOfKeys, putDriveItems } from './drive-items.store.ts';
import { type DriveParts, read, write } from './drive-parts.ts';
import { freePlaces } from './entity-folders.ts';
import { createIdPool } from './id-pool.ts';
import { moveEntities } from './move-entities.ts';
import {
  type EntityOrFile,
  isKept,
  outcomeOf,
  type PutParts,
  refused,
  stored,
  superseded,
  unsent,
} from './put-parts.ts';
import { NOT_VISIBLE } from './read-items.ts';
import { removeEmptyFolders, removeFile } from './remove-files.ts';
import { writeContent } from './write-content.ts';

/** The drive's own limit of requests at once is lower than what it is worth to prepare. */
const AT_ONCE = 8;

/** Stores changes in the drive; the outcomes are in their order. Whatever a crash leaves half done is finished by the next call. */
export async function putChanges(parts: DriveParts, changes: readonly Change[]): Promise<Outcome[]> {
  const { project } = parts;
  const keys = changes.map(({ base }) => base.key);
  const rowsNow = async () =>
    new Map((await read(parts, (db) => itemsOfKeys(db, project, keys))).map((row) => [row.key ?? '', row]));
  const kept = changes.filter(isKept);
  const ids = createIdPool(parts.drive, 2 * kept.length);
  const outcomes = new Map<Change, Outcome>(await moveEntities(parts, ids, kept, await rowsNow()));
  const rows = await rowsNow();
  const news = kept.filter(({ base }) => (rows.get(base.key)?.version ?? 0) === 0);
  const plans = await planned(parts, news, rows);
  const { folders, problems } = await madeFolders(
    parts,
    ids,
    [...plans.values()].map((path) => folderOf(path)),
  );
  for (const [change, path] of plans) {
    const problem = problems.get(folderOf(path));
    if (problem !== undefined) outcomes.set(change, refused(problem));
  }
  // Only now, since a folder that another install has just made may hold something already.
  await meetOthers(parts, plans, outcomes);
  const quota: PutParts['quota'] = { full: null, waiting: [] };
  const putting: PutParts = { ...parts, ids, folders, quota };
  const begun = await begin(putting, plans, rows);
  await eachAtOnce(
    kept.filter((change) => !outcomes.has(change)),
    AT_ONCE,
    async (change) => {
      const row = begun.get(change) ?? rows.get(change.base.key);
      outcomes.set(change, row ? await putOne(putting, change, row) : unsent());
    },
  );
  const noRoom = quota.full && refused(await fullReason(parts, quota.waiting, quota.full));
  for (const change of quota.waiting) if (noRoom) outcomes.set(change, noRoom);
  await remove(parts, changes, rows, outcomes);
  return changes.map((change) => outcomes.get(change) ?? unsent());
}

/** The paths of new files. */
async function planned(
  parts: DriveParts,
  news: readonly EntityOrFile[],
  rows: ReadonlyMap<string, DriveItem>,
): Promise<Map<EntityOrFile, string>> {
  const fresh = news.filter(({ base }) => !rows.has(base.key));
  const places = await freePlaces(
    parts,
    fresh.filter(({ base }) => isEntityKey(base.key)),
  );
  const pathOf = (change: EntityOrFile) =>
    rows.get(change.base.key)?.path ?? places.get(change) ?? change.local.path;
  return new Map(news.map((change) => [change, pathOf(change)]));
}

/** Changes whose path is taken get their outcomes here, and need no file. */
async function meetOthers(
  parts: DriveParts,
  plans: Map<EntityOrFile, string>,
  outcomes: Map<Change, Outcome>,
): Promise<void> {
  const there = await read(parts, (db) => itemsAt(db, parts.project, [...plans.values()]));
  const at = new Map(there.filter(({ kind }) => kind !== 'folder').map((row) => [row.path, row]));
  for (const [change, path] of plans) {
    const row = at.get(path);
    if (row === undefined || row.key === change.base.key) continue;
    plans.delete(change);
    outcomes.set(change, await meet(parts, change, row));
  }
}

/** Something else lies at the path already, such as a file that could not be read when it came. */
async function meet(parts: DriveParts, { base, local }: EntityOrFile, row: DriveItem): Promise<Outcome> {
  if (row.sha256 === local.sha256) {
    await write(parts, (db) => putDriveItems(db, parts.project, [{ ...row, key: base.key }]));
    return stored();
  }
  if (row.key !== null) return superseded(false);
  // It comes with the next changes.
  if (row.pending !== null) return unsent();
  return refused(`another file lies at ${row.path} in the drive: rename or remove it there`);
}

async function begin(
  parts: PutParts,
  plans: ReadonlyMap<EntityOrFile, string>,
  rows: ReadonlyMap<string, DriveItem>,
): Promise<Map<EntityOrFile, DriveItem>> {
  const begun = new Map<EntityOrFile, DriveItem>();
  for (const [change, path] of plans) {
    const parentId = parts.folders.get(folderOf(path));
    if (parentId === undefined) continue;
    const known = rows.get(change.base.key);
    const row = known ?? plannedFile(await parts.ids.next(), change, { path, parentId });
    // A session makes its file in the folder that it was opened for.
    const session = row.parent_id === parentId ? row.session : null;
    begun.set(change, { ...row, parent_id: parentId, session });
  }
  await write(parts, (db) => putDriveItems(db, parts.project, [...begun.values()]));
  return begun;
}

async function putOne(parts: PutParts, change: EntityOrFile, row: DriveItem): Promise<Outcome> {
  if (row.kind === 'document')
    return refused('it is exported from a document of the drive: edit the document there');
  if (row.unseen === 1) return refused(NOT_VISIBLE);
  const waits = (): Outcome => {
    parts.quota.waiting.push(change);
    return unsent();
  };
  if (parts.quota.full !== null) return waits();
  try {
    const outcome = await (row.version === 0
      ? createFile(parts, change, row)
      : writeContent(parts, change, row));
    const isPlaced = !isEntityKey(change.base.key) || row.path === change.local.path;
    return outcome.kind === 'stored' && !isPlaced ? superseded(true) : outcome;
  } catch (error) {
    if (!isDriveError(error, 'quota')) return outcomeOf(error);
    parts.quota.full ??= error;
    return waits();
  }
}

/** Once everything else of the request is there. */
async function fullReason(
  { drive }: DriveParts,
  waiting: readonly EntityOrFile[],
  error: DriveError,
): Promise<string> {
  const { limit, used } = await drive.about();
  const bytes = waiting.reduce((sum, { local }) => sum + (local.file?.size ?? 0), 0);
  const missing = limit === null ? null : bytes - Math.max(0, limit - used);
  return missing === null || missing <= 0
    ? error.message
    : `the drive is full: ${missing.toLocaleString('en')} bytes are missing there. It is tried again later`;
}

async function remove(
  parts: DriveParts,
  changes: readonly Change[],
  rows: ReadonlyMap<string, DriveItem>,
  outcomes: Map<Change, Outcome>,
): Promise<void> {
  const emptied: string[] = [];
  await eachAtOnce(
    changes.filter((change) => !isKept(change)),
    AT_ONCE,
    async (change) => {
      const row = rows.get(change.base.key);
      const outcome = row ? await removeFile(parts, change, row).catch(outcomeOf) : stored();
      outcomes.set(change, outcome);
      if (outcome.kind === 'stored' && row?.parent_id && !change.keepsFolder) emptied.push(row.parent_id);
    },
  );
  await removeEmptyFolders(parts, emptied);
}
