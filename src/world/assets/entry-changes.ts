import { type EntryChange, MOST_ITEMS } from '../../content/assets/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import type { Project } from '../records/index.ts';
import { keyOf } from './asset-row.ts';
import { findLiveAsset } from './asset-rows.store.ts';
import type { AssetDb, AssetRow } from './assets.tables.ts';
import { assetsLock, type Follower } from './follow.ts';
import type { Sidecars } from './sidecars.ts';

export type ChangeOfEntry = (row: AssetRow) => Promise<EntryChange> | EntryChange;

export interface EntryChangesOptions {
  sidecars: Sidecars;
  follower: Follower;
  clock: Clock;
}

/** 404 unless the asset exists. */
export async function findAsset(project: Project, assetId: string): Promise<AssetRow> {
  const row = await project.database.read((db: AssetDb) => findLiveAsset(db, project, assetId));
  if (row) return row;
  throw notFound(`There is no asset '${assetId}'`, { code: 'no_such_asset' });
}

/** Changes what sidecars say about assets, and the rows with it. */
export function createEntryChanges({ sidecars, follower, clock }: EntryChangesOptions) {
  /** A description also fixes the asset's id: from then on it comes from the sidecar, not from the path. */
  const write = (project: Project, row: AssetRow, entry: NonNullable<EntryChange>): Promise<void> =>
    sidecars.change(
      project,
      row.home,
      new Map([[keyOf(row), { id: row.asset_id, ...entry, updated_at: isoTime(clock.now()) }]]),
    );

  /** `change` sees the row under the lock, and null changes nothing. Resolves to the asset's id from now on. */
  const change = (project: Project, assetId: string, change: ChangeOfEntry): Promise<string> =>
    project.database.exclusive(assetsLock(project), async () => {
      await follower.followHeld(project);
      const row = await findAsset(project, assetId);
      const entry = await change(row);
      if (entry !== null) await write(project, row, entry);
      await follower.followHeld(project);
      return entry?.id ?? row.asset_id;
    });

  return {
    change,
    /** Adds tags that the asset does not have. 409 if these are too many. */
    async addTags(project: Project, assetId: string, tags: readonly string[]): Promise<void> {
      await change(project, assetId, (row) => {
        const present = JSON.parse(row.tags) as string[];
        const all = [...new Set([...present, ...tags])];
        if (all.length === present.length) return null;
        if (all.length > MOST_ITEMS)
          throw conflict(`An asset can have ${MOST_ITEMS} tags, and '${assetId}' would have ${all.length}`, {
            code: 'too_many',
          });
        return { tags: all };
      });
    },
  };
}

export type EntryChanges = ReturnType<typeof createEntryChanges>;
