import { fileDigest } from '../../platform/files/file-digest.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import type { Project } from '../records/index.ts';
import { RECYCLE_ROOT } from '../texts/index.ts';
import { forgetOrphans } from './asset-rows.store.ts';
import type { AssetDb, RecycledAssetRow } from './assets.tables.ts';
import { assetsLock, type Follower } from './follow.ts';
import { deleteRecycledAsset, listItemsInBin, listPendingItems } from './recycle.store.ts';

export const ASSET_BIN = `${RECYCLE_ROOT}/_assets`;

export const folderIn = ({ bin_path }: RecycledAssetRow): string => bin_path.split('/')[2] ?? '';

interface HealingParts {
  follower: Follower;
  /** Completes a deletion after its file has moved to the bin. */
  finishDeletion(project: Project, item: RecycledAssetRow): Promise<void>;
}

/** Repairs what a crash or manual changes in the recycle bin left incomplete. */
export function createRecycleHealing({ follower, finishDeletion }: HealingParts) {
  /** Items whose files are no longer in the bin, by hand or by an interrupted removal. */
  async function lostItems(project: Project): Promise<RecycledAssetRow[]> {
    const inBin = await project.database.read((db: AssetDb) => listItemsInBin(db, project));
    if (inBin.length === 0) return [];
    await project.files.probe();
    const entries = (await project.files.list(ASSET_BIN).catch(ifGone)) ?? [];
    const there = new Set(entries.map(({ name }) => name));
    return inBin.filter((item) => !there.has(folderIn(item)));
  }

  /** Removes items with nothing left to restore; an interrupted restore, which has its file back, keeps its item. */
  async function forgetLost(project: Project): Promise<void> {
    if ((await lostItems(project)).length === 0) return;
    await project.database.exclusive(assetsLock(project), async () => {
      for (const item of await lostItems(project)) {
        const isBack = (await project.files.stat(item.path)) !== undefined;
        if (isBack && (await fileDigest(project.files, item.path)) === item.sha256) continue;
        await project.database.write((db: AssetDb) => deleteRecycledAsset(db, project, item.item_id));
      }
      await project.database.write((db: AssetDb) => forgetOrphans(db, project));
    });
  }

  /** Finishes interrupted deletions and removes the items of those that had not moved their file. */
  async function finishDeletions(project: Project): Promise<void> {
    const pending = () => project.database.read((db: AssetDb) => listPendingItems(db, project));
    if ((await pending()).length === 0) return;
    await project.database.exclusive(assetsLock(project), async () => {
      for (const item of await pending()) {
        const isThere = (await project.files.stat(item.bin_path)) !== undefined;
        if (isThere) await finishDeletion(project, item);
        else await project.database.write((db: AssetDb) => deleteRecycledAsset(db, project, item.item_id));
      }
      await follower.followHeld(project);
    });
  }

  return async (project: Project): Promise<void> => {
    await finishDeletions(project);
    await forgetLost(project);
  };
}
