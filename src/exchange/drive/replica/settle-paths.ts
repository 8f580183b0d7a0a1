import { joinPath } from '../../../platform/files/paths.ts';
import type { Project } from '../../../world/records/index.ts';
import {
  childrenOf,
  type DriveItem,
  findDriveItems,
  markMarkdownPending,
  putDriveItems,
} from './drive-items.store.ts';
import type { DriveItemsDb } from './drive-items.tables.ts';
import { namesIn } from './names-here.ts';

/** Deeper folders are none that a project has. */
const MOST_LEVELS = 100;

function pathsIn(folder: string | null, children: readonly DriveItem[]): Map<DriveItem, string | null> {
  const isTooDeep = folder !== null && folder.split('/').length > MOST_LEVELS;
  const isVisible = ({ trashed }: DriveItem) => folder !== null && !isTooDeep && trashed === 0;
  const names = namesIn(children.filter(isVisible));
  return new Map(
    children.map((item) => {
      const name = names.get(item);
      return [item, name === undefined ? null : joinPath(folder ?? '', name)];
    }),
  );
}

const isPlacedAnew = (item: DriveItem, known: DriveItem | undefined): boolean =>
  known === undefined ||
  known.path === null ||
  known.name !== item.name ||
  known.parent_id !== item.parent_id ||
  known.trashed !== item.trashed ||
  known.version === 0;

export interface Changed {
  rootId: string;
  items: readonly DriveItem[];
  /** The same ones as they were before, by id. */
  known: ReadonlyMap<string, DriveItem>;
  token: string;
}

/** Stores items that changed, and settles the paths of their neighbours and of everything below. */
export async function storeChanged(
  db: DriveItemsDb,
  project: Project,
  { rootId, items, known, token }: Changed,
): Promise<void> {
  await putDriveItems(db, project, items);
  const placed = items.filter((item) => isPlacedAnew(item, known.get(item.file_id)));
  let parents = new Set(
    placed.flatMap(({ file_id, parent_id }) =>
      [parent_id, known.get(file_id)?.parent_id].filter((id) => id != null),
    ),
  );
  // They went to where this app sees nothing, so that no folder's turn comes for them.
  const outside = placed
    .filter(({ parent_id, path }) => parent_id === null && path !== null)
    .map((item) => ({ ...item, path: null, pending: token }));
  await putDriveItems(db, project, outside);
  for (const { kind, file_id } of outside) if (kind === 'folder') parents.add(file_id);
  while (parents.size > 0) {
    const ids = [...parents];
    const folders = new Map(
      (await findDriveItems(db, project, ids)).map(({ file_id, path }) => [file_id, path]),
    ).set(rootId, '');
    const children = Map.groupBy(await childrenOf(db, project, ids), ({ parent_id }) => parent_id ?? '');
    const moved: DriveItem[] = [];
    for (const [parentId, inside] of children)
      for (const [item, path] of pathsIn(folders.get(parentId) ?? null, inside)) {
        if (path === item.path) continue;
        moved.push({ ...item, path, pending: token });
      }
    await putDriveItems(db, project, moved);
    parents = new Set(moved.flatMap(({ kind, file_id }) => (kind === 'folder' ? [file_id] : [])));
  }
  // Markdown beside a file that came or went may be the entity's own now.
  const beside = [...placed, ...placed.flatMap(({ file_id }) => known.get(file_id) ?? [])];
  await markMarkdownPending(
    db,
    project,
    beside.flatMap(({ kind, parent_id }) => (kind === 'file' && parent_id !== null ? [parent_id] : [])),
    token,
  );
}
