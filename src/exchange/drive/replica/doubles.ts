import { folderOf, joinPath } from '../../../platform/files/paths.ts';
import { findEntityRow, hasOrHad, type RecordsDb } from '../../../world/records/index.ts';
import { checksumText, fileKey, namedKey, type RemoteItem, type SyncKey } from '../../sync/index.ts';
import { type DriveItem, isEntitys, itemsAt, itemsOfKeys } from './drive-items.store.ts';
import { type DriveParts, read } from './drive-parts.ts';
import { ownName } from './names-here.ts';

/** A row as it must be stored, with what it stands for. */
export interface SeenItem {
  row: DriveItem;
  item: RemoteItem | null;
  /** The key it stood for, which belongs to an older file now: another install's of the same entity, or with the same bytes. */
  yields: SyncKey | null;
}

const isOlder = (one: DriveItem, other: DriveItem): boolean =>
  one.created_at < other.created_at || (one.created_at === other.created_at && one.file_id < other.file_id);

/** Files that have the names here that these have there. */
export async function namesakesOf(
  parts: DriveParts,
  rows: readonly DriveItem[],
): Promise<Map<string, DriveItem>> {
  const paths = rows.filter((row) => row.path !== null && row.path !== pathThere(row)).map(pathThere);
  const there = await read(parts, (db) => itemsAt(db, parts.project, paths));
  return new Map(there.map((row) => [row.path ?? '', row]));
}

export const pathThere = (row: DriveItem): string => joinPath(folderOf(row.path ?? ''), ownName(row));

/**
 * Two installs made the same file at the same moment. The newer one is not needed: an entity's text is sent into the older file, and
 * another file has the same bytes there.
 */
export async function isNeedless(
  parts: DriveParts,
  row: DriveItem,
  older: DriveItem | undefined,
): Promise<boolean> {
  const isDisplaced = older?.kind === 'file' && older.unseen === 0 && older.file_id !== row.file_id;
  if (!isDisplaced || row.own === 0 || row.key === null) return false;
  if (isEntitys(row)) return isOurs(parts, row);
  return row.key === fileKey(older.path ?? '') && row.sha256 !== null && row.sha256 === older.sha256;
}

/** True for a file that this install made, with a text that the entity has or had here: nothing is lost if it goes. */
async function isOurs({ project }: DriveParts, { own, key, sha256 }: DriveItem): Promise<boolean> {
  const named = namedKey(key ?? '');
  if (own === 0 || sha256 === null || named.kind !== 'entity') return false;
  return project.database.read(async (db: RecordsDb) => {
    const row = await findEntityRow(db, project, named.type, named.id);
    return row !== undefined && hasOrHad(db, row, checksumText(sha256));
  });
}

/**
 * Two files can name the same entity, such as a copy made in the drive: the oldest counts. Also returns those that counted until an
 * older one was seen.
 */
export async function withoutDoubles(parts: DriveParts, seen: readonly SeenItem[]): Promise<SeenItem[]> {
  const keys = seen.flatMap(({ item }) => (item?.kind === 'entity' ? [item.key] : []));
  const ids = new Set(seen.map(({ row }) => row.file_id));
  const others = (await read(parts, (db) => itemsOfKeys(db, parts.project, keys))).filter(
    ({ file_id }) => !ids.has(file_id),
  );
  const claims = Map.groupBy(
    [...others, ...seen.map(({ row }) => row)].filter(({ path }) => path !== null),
    ({ key }) => key,
  );
  const olderThan = (row: DriveItem) =>
    row.key === null ? undefined : claims.get(row.key)?.find((other) => isOlder(other, row));
  const all = [...seen, ...others.map((row): SeenItem => ({ row, item: null, yields: null }))];
  const doubles = new Map(
    all.flatMap((each) => {
      const older = isEntitys(each.row) ? olderThan(each.row) : undefined;
      return older ? [[each, older] as const] : [];
    }),
  );
  const ours = new Set<DriveItem>();
  for (const { row } of doubles.keys()) if (await isOurs(parts, row)) ours.add(row);
  return all.flatMap((each): SeenItem[] => {
    const { row } = each;
    const older = doubles.get(each);
    if (older === undefined || row.key === null) return others.includes(row) ? [] : [each];
    const problem = `${older.path} is the same entity as well: give this one another id, or remove it`;
    return [{ row: { ...row, key: null, problem }, item: null, yields: ours.has(row) ? row.key : null }];
  });
}
