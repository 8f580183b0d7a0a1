import { folderOf } from '../../../platform/files/paths.ts';
import { nameOf } from '../../../text/paths.ts';
import { childrenOf, type DriveItem, isEntitys, itemsAt } from './drive-items.store.ts';
import { type DriveParts, read } from './drive-parts.ts';
import type { EntityOrFile } from './put-parts.ts';

/** The entities' own files directly in these folders. */
export async function entitiesIn(
  parts: DriveParts,
  folders: readonly string[],
): Promise<Map<string, DriveItem[]>> {
  const { project } = parts;
  return read(parts, async (db) => {
    const there = (await itemsAt(db, project, [...new Set(folders)])).filter(({ kind }) => kind === 'folder');
    const below = await childrenOf(
      db,
      project,
      there.map(({ file_id }) => file_id),
    );
    const own = below.filter((item) => isEntitys(item) && item.path !== null);
    return Map.groupBy(own, ({ path }) => folderOf(path ?? ''));
  });
}

/** Places for new entities. An entity whose folder belongs to another one goes beside it. */
export async function freePlaces(
  parts: DriveParts,
  changes: readonly EntityOrFile[],
): Promise<Map<EntityOrFile, string>> {
  const places = new Map<EntityOrFile, string>();
  const taken = new Set(
    (
      await entitiesIn(
        parts,
        changes.map(({ local }) => folderOf(local.path)),
      )
    ).keys(),
  );
  for (const change of changes) {
    const { path } = change.local;
    let folder = folderOf(path);
    for (let number = 2; taken.has(folder); number += 1) {
      folder = `${folderOf(path)}_${number}`;
      if ((await entitiesIn(parts, [folder])).size > 0) taken.add(folder);
    }
    taken.add(folder);
    places.set(change, `${folder}/${nameOf(path)}`);
  }
  return places;
}
