import type { Project, Scope } from '../../../world/records/index.ts';
import { aloneInRound, keepUnlisted, syncedProject } from '../../sync/index.ts';
import { type DriveItem, dropDriveItems, unseenItems } from '../replica/drive-items.store.ts';
import type { DriveItemsDb } from '../replica/drive-items.tables.ts';

/** Files that are no longer visible. What was in the trash is missed by nobody. */
const missedOf = (items: readonly DriveItem[]): DriveItem[] =>
  items.filter(({ path, kind }) => path !== null && kind !== 'folder');

export const countMissed = async (db: DriveItemsDb, scope: Scope): Promise<number> =>
  missedOf(await unseenItems(db, scope)).length;

/** Lets the next round write invisible files to the drive again. */
export async function sendUnseenAgain(project: Project): Promise<void> {
  const synced = syncedProject(project, 'drive');
  await aloneInRound(synced, async () => {
    const items = await project.database.read((db: DriveItemsDb) => unseenItems(db, project));
    if (items.length === 0) return;
    // Before the rows go: what nothing stands for counts as deleted.
    await keepUnlisted(
      synced,
      missedOf(items).flatMap(({ key }) => key ?? []),
    );
    await project.database.write((db: DriveItemsDb) =>
      dropDriveItems(
        db,
        project,
        items.map(({ file_id }) => file_id),
      ),
    );
  });
}
