import { JobRefused } from '../../platform/jobs/handlers.ts';
import { type AssetRow, findLiveAsset } from '../assets/index.ts';
import type { Project } from '../records/index.ts';
import type { TagDb } from './asset-tags.tables.ts';

export type Measure = (project: Project, assetId: string) => Promise<void>;

/** The row once its bytes are measured, so that a preview and the job say the same; undefined if the asset is gone. */
export async function measuredAsset(
  measure: Measure,
  project: Project,
  assetId: string,
): Promise<AssetRow | undefined> {
  const find = () => project.database.read((db: TagDb) => findLiveAsset(db, project, assetId));
  const row = await find();
  if (row === undefined || row.measured === row.sha256) return row;
  await measure(project, assetId).catch((error: unknown) => {
    if (!(error instanceof JobRefused)) throw error;
  });
  return find();
}
