import type { Project } from '../records/index.ts';
import { listLiveAssets } from './asset-list.store.ts';
import { findAssetsBy } from './asset-rows.store.ts';
import type { AssetDb, AssetRow } from './assets.tables.ts';

const STEP = 500;

/** The assets that have one of the ids, by path. */
export async function liveAssetsOf(project: Project, ids: readonly string[]): Promise<AssetRow[]> {
  const rows = await project.database.read((db: AssetDb) =>
    findAssetsBy(db, project, 'asset_id', [...new Set(ids)]),
  );
  return rows.filter(({ gone_at }) => gone_at === null);
}

/** All assets in parts, by path. */
export async function* allLiveAssets(project: Project) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const rows = await project.database.read((db: AssetDb) => listLiveAssets(db, project, from, STEP));
    yield rows;
    after = rows.length < STEP ? undefined : rows.at(-1)?.path;
  }
}
