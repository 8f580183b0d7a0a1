import type { AssetKind } from '../../content/assets/index.ts';
import { notFound } from '../../kit/errors.ts';
import type { JobKey, Jobs } from '../../platform/jobs/jobs.ts';
import type { Project } from '../records/index.ts';
import { listLiveAssets } from './asset-list.store.ts';
import { findAssetsBy, findLiveAsset } from './asset-rows.store.ts';
import { assetJob, jobKindsOf } from './assets.jobs.ts';
import type { AssetDb, AssetRow } from './assets.tables.ts';
import type { Follower } from './follow.ts';

const STEP = 500;

type Target = Pick<AssetRow, 'asset_id' | 'kind'>;

const jobsFor = (project: Project, targets: readonly Target[]): JobKey[] =>
  targets.flatMap(({ asset_id, kind }) =>
    jobKindsOf(kind as AssetKind).map((job) => assetJob(project, job, asset_id)),
  );

/** Queues assets to be measured again, whatever is known about them. */
export function createRescans({ jobs, follower }: { jobs: Jobs; follower: Follower }) {
  async function find(project: Project, assetId: string): Promise<AssetRow> {
    await follower.follow(project);
    const row = await project.database.read((db: AssetDb) => findLiveAsset(db, project, assetId));
    if (row) return row;
    throw notFound(`There is no asset '${assetId}'`, { code: 'no_such_asset' });
  }

  return {
    /** 404 unless the asset exists. */
    requireAsset: async (project: Project, assetId: string): Promise<void> => {
      await find(project, assetId);
    },
    async one(project: Project, assetId: string): Promise<void> {
      await jobs.add(jobsFor(project, [await find(project, assetId)]));
    },
    /** Missing assets are reported and do not stop the others. */
    async some(project: Project, assetIds: readonly string[]) {
      await follower.follow(project);
      const wanted = [...new Set(assetIds)];
      const rows = await project.database.read((db: AssetDb) =>
        findAssetsBy(db, project, 'asset_id', wanted),
      );
      const live = rows.filter(({ gone_at }) => gone_at === null);
      await jobs.add(jobsFor(project, live));
      const found = new Set(live.map(({ asset_id }) => asset_id));
      return { assets: live.length, missing: wanted.filter((id) => !found.has(id)) };
    },
    async all(project: Project) {
      await follower.follow(project);
      let assets = 0;
      for (let after: string | undefined = ''; after !== undefined; ) {
        const from: string = after;
        const rows = await project.database.read((db: AssetDb) => listLiveAssets(db, project, from, STEP));
        await jobs.add(jobsFor(project, rows));
        assets += rows.length;
        after = rows.length < STEP ? undefined : rows.at(-1)?.path;
      }
      return { assets, missing: [] };
    },
  };
}

export type Rescans = ReturnType<typeof createRescans>;
