import type { AssetKind } from '../../content/assets/index.ts';
import { type JobHandlers, JobRefused } from '../../platform/jobs/handlers.ts';
import type { JobKey, JobScope } from '../../platform/jobs/jobs.ts';
import type { Projects } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { MEASURED_KINDS, type Measure, putMeasure } from './asset-list.store.ts';
import { findLiveAsset } from './asset-rows.store.ts';
import type { AssetDb, AssetRow } from './assets.tables.ts';
import { createMeasuring, type MeasuringOptions, NOTHING } from './measure.ts';

export const ASSET_QUEUE = 'assets';

export const jobKindsOf = (kind: AssetKind): readonly string[] =>
  MEASURED_KINDS.includes(kind) ? ['metadata'] : [];

export const assetJob = ({ tenantId, projectId }: JobScope, kind: string, subject: string): JobKey => ({
  ...{ tenantId, projectId, queue: ASSET_QUEUE, kind, subject },
});

export interface AssetJobsOptions extends MeasuringOptions {
  projects: Projects;
}

/** Handlers for jobs on assets. Results depend on the bytes alone, so a repeated job changes nothing. */
export function createAssetJobs({ projects, ...ports }: AssetJobsOptions): JobHandlers {
  const measure = createAssetMeasuring(ports);
  return {
    metadata: ({ tenantId, projectId, subject }) =>
      projects.use(tenantId, projectId, (project) => measure(project, subject)),
  };
}

/** Measures an asset and stores what was found. Throws `JobRefused` for bytes that can never be measured. */
export function createAssetMeasuring(ports: MeasuringOptions) {
  const measure = createMeasuring(ports);
  const keep = (project: Project, row: AssetRow, measured: Measure) =>
    project.database.write((db: AssetDb) => putMeasure(db, project, row, measured));

  return async (project: Project, assetId: string): Promise<void> => {
    const row = await project.database.read((db: AssetDb) => findLiveAsset(db, project, assetId));
    if (row === undefined || !MEASURED_KINDS.includes(row.kind)) return;
    try {
      await keep(project, row, await measure(project, row));
    } catch (error) {
      // These bytes will never yield anything, so they count as measured until they change.
      if (error instanceof JobRefused) await keep(project, row, NOTHING);
      throw error;
    }
  };
}
