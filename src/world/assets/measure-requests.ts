import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Project } from '../records/index.ts';
import { unmeasuredAssets } from './asset-list.store.ts';
import { assetJob } from './assets.jobs.ts';
import type { AssetDb } from './assets.tables.ts';

const STEP = 500;

export function createMeasureRequests(jobs: Jobs) {
  /** Hashes per project that are requested and not measured yet. */
  const requested = new WeakMap<Project, ReadonlySet<string>>();

  return async (project: Project): Promise<void> => {
    const before = requested.get(project);
    const now = new Set<string>();
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after;
      const rows = await project.database.read((db: AssetDb) => unmeasuredAssets(db, project, from, STEP));
      const marked = rows.map(({ asset_id, sha256 }) => ({
        subject: asset_id,
        mark: `${asset_id} ${sha256}`,
      }));
      for (const { mark } of marked) now.add(mark);
      await jobs.add(
        marked
          .filter(({ mark }) => !before?.has(mark))
          .map(({ subject }) => assetJob(project, 'metadata', subject)),
      );
      after = rows.length < STEP ? undefined : rows.at(-1)?.path;
    }
    requested.set(project, now);
  };
}

export type RequestMeasures = ReturnType<typeof createMeasureRequests>;
