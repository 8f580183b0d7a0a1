import type { AssetKind } from '../../content/assets/index.ts';
import { type JobHandlers, JobRefused } from '../../platform/jobs/handlers.ts';
import type { JobKey, JobScope } from '../../platform/jobs/jobs.ts';
import type { Projects } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { MEASURED_KINDS, type Measure, putMeasure } from './asset-list.store.ts';
import { findLiveAsset } from './asset-rows.store.ts';
import type { AssetDb, AssetRow } from './assets.tables.ts';
import { createMeasuring, type MeasuringOptions, NOTHING } from './measure.ts';

/** The queue of jobs whose subject is an asset. */
export const ASSET_QUEUE = 'assets';

/** What there is to do for an asset of a kind. */
export const jobKindsOf = (kind: AssetKind): readonly string[] =>
  MEASURED_KINDS.includes(kind) ? ['metadata'] : [];

export const assetJob = ({ tenantId, projectId }: JobScope, kind: string, subject: string): JobKey => ({
  ...{ tenantId, projectId, queue: ASSET_QUEUE, kind, subject },
});

export interface AssetJobsOptions extends MeasuringOptions {
  projects: Projects;
}

/** What workers do for assets. What comes out hangs on the bytes alone, so that doing it twice changes nothing. */
export function createAssetJobs({ projects, ...ports }: AssetJobsOptions): JobHandlers {
  const measure = createMeasuring(ports);
  const keep = (project: Project, row: AssetRow, measured: Measure) =>
    project.database.write((db: AssetDb) => putMeasure(db, project, row, measured));

  return {
    metadata: ({ tenantId, projectId, subject }) =>
      projects.use(tenantId, projectId, async (project) => {
        const row = await project.database.read((db: AssetDb) => findLiveAsset(db, project, subject));
        if (row === undefined || !MEASURED_KINDS.includes(row.kind)) return;
        try {
          await keep(project, row, await measure(project, row));
        } catch (error) {
          // What tells nothing once tells nothing the next time, until its bytes are others.
          if (error instanceof JobRefused) await keep(project, row, NOTHING);
          throw error;
        }
      }),
  };
}
