import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Rescans } from '../assets/assets.module.ts';
import type { Projects } from '../projects/projects.service.ts';
import { assetQueueRoutes } from './asset-queue.routes.ts';
import { createAssetQueue } from './asset-queue.service.ts';

export interface AssetQueueModuleOptions {
  projects: Projects;
  jobs: Jobs;
  rescans: Rescans;
  clock: Clock;
}

/** What is done for assets behind the requests: how far it is, a pause, and once more (spec 1 §4.5). */
export const createAssetQueueModule = ({
  projects,
  jobs,
  rescans,
  clock,
}: AssetQueueModuleOptions): Module => ({
  name: 'asset-queue',
  routes: assetQueueRoutes({ projects, rescans, queue: createAssetQueue({ jobs, clock }) }),
});
