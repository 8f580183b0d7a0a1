import type { AssetKind } from '../../content/assets/index.ts';
import type { JobKey, Jobs } from '../../platform/jobs/jobs.ts';
import type { Project } from '../records/index.ts';
import { assetJob, jobKindsOf } from './assets.jobs.ts';
import type { AssetRow } from './assets.tables.ts';
import { findAsset } from './entry-changes.ts';
import type { Follower } from './follow.ts';
import { allLiveAssets, liveAssetsOf } from './live-assets.ts';

type Target = Pick<AssetRow, 'asset_id' | 'kind'>;

const jobsFor = (project: Project, targets: readonly Target[]): JobKey[] =>
  targets.flatMap(({ asset_id, kind }) =>
    jobKindsOf(kind as AssetKind).map((job) => assetJob(project, job, asset_id)),
  );

/** Queues assets to be measured again, whatever is known about them. */
export function createRescans({ jobs, follower }: { jobs: Jobs; follower: Follower }) {
  async function find(project: Project, assetId: string): Promise<AssetRow> {
    await follower.follow(project);
    return findAsset(project, assetId);
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
      const live = await liveAssetsOf(project, assetIds);
      await jobs.add(jobsFor(project, live));
      const found = new Set(live.map(({ asset_id }) => asset_id));
      return { assets: live.length, missing: [...new Set(assetIds)].filter((id) => !found.has(id)) };
    },
    async all(project: Project) {
      await follower.follow(project);
      let assets = 0;
      for await (const rows of allLiveAssets(project)) {
        await jobs.add(jobsFor(project, rows));
        assets += rows.length;
      }
      return { assets, missing: [] };
    },
  };
}

export type Rescans = ReturnType<typeof createRescans>;
