import { joinPath } from '../../../platform/files/paths.ts';
import type { Project } from '../../../world/records/index.ts';
import {
  childrenOf,
  type DriveItem,
  findDriveItems,
  markPending,
  putDriveItems,
} from './drive-items.store.ts';
import type { DriveItemsDb } from './drive-items.tables.ts';

const ROOT_PATH = '';

const pathIn = (folder: string | null | undefined, { name, trashed }: DriveItem): string | null =>
  folder === null || folder === undefined || trashed === 1 ? null : joinPath(folder, name);

/** Paths of changed items by those of their folders, which may be among them. */
function pathsOf(
  rootId: string,
  changed: ReadonlyMap<string, DriveItem>,
  folders: ReadonlyMap<string, DriveItem>,
): Map<string, string | null> {
  const found = new Map<string, string | null>();
  const pathOf = (fileId: string | null, above: ReadonlySet<string>): string | null => {
    if (fileId === rootId) return ROOT_PATH;
    if (fileId === null || above.has(fileId)) return null;
    const item = changed.get(fileId);
    if (item === undefined) return folders.get(fileId)?.path ?? null;
    const known = found.get(fileId);
    if (known !== undefined) return known;
    const path = pathIn(pathOf(item.parent_id, new Set([...above, fileId])), item);
    found.set(fileId, path);
    return path;
  };
  for (const fileId of changed.keys()) pathOf(fileId, new Set());
  return found;
}

/** Stores items whose place or content changed, and settles the paths of everything below them. */
export async function storeChanged(
  db: DriveItemsDb,
  project: Project,
  { rootId, items, token }: { rootId: string; items: readonly DriveItem[]; token: string },
): Promise<DriveItem[]> {
  const changed = new Map(items.map((item) => [item.file_id, item]));
  const parents = await findDriveItems(
    db,
    project,
    items.flatMap(({ parent_id }) => (parent_id !== null && !changed.has(parent_id) ? [parent_id] : [])),
  );
  const paths = pathsOf(rootId, changed, new Map(parents.map((item) => [item.file_id, item])));
  const touched = new Set<string>();
  const at = (item: DriveItem, path: string | null): DriveItem => {
    for (const each of [item.path, path]) if (each !== null) touched.add(each);
    return { ...item, path };
  };
  const stored = items.map((item) => at(item, paths.get(item.file_id) ?? null));
  await putDriveItems(db, project, stored);
  const isFolder = ({ kind }: DriveItem) => kind === 'folder';
  const seen = new Set<string>();
  for (let level = stored.filter(isFolder); level.length > 0; ) {
    const above = new Map(level.map((item) => [item.file_id, item.path]));
    const below = await childrenOf(db, project, [...above.keys()]);
    const next = below
      .filter(({ file_id }) => !seen.has(file_id))
      .map((item) => ({ ...at(item, pathIn(above.get(item.parent_id ?? ''), item)), pending: token }));
    for (const { file_id } of next) seen.add(file_id);
    await putDriveItems(db, project, next);
    level = next.filter(isFolder);
  }
  // Of several files of one name another one may count now.
  await markPending(db, project, [...touched], token);
  return stored;
}
