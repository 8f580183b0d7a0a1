import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { type Route, route } from '../../kit/route.ts';
import type { Llms } from '../../platform/llm/llms.ts';
import type { Rescans } from '../assets/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import {
  getAssetQueueEntry,
  getAssetQueueStatus,
  pauseAssetQueue,
  reportVramPressure,
  rescanQueuedAsset,
  rescanQueuedAssets,
  resumeAssetQueue,
} from './asset-queue.contract.ts';
import { type AssetQueue, PRESSURE_S } from './asset-queue.service.ts';

export interface AssetQueueRoutesOptions {
  projects: Projects;
  queue: AssetQueue;
  rescans: Rescans;
  llms: Pick<Llms, 'reportPressure'>;
  log: Log;
}

export function assetQueueRoutes({ projects, queue, rescans, llms, log }: AssetQueueRoutesOptions): Route[] {
  return [
    route(getAssetQueueStatus, async (request) => queue.status(await requestProject(projects, request))),
    route(pauseAssetQueue, async (request) => {
      const { duration_seconds: seconds, indefinite } = request.body ?? {};
      return queue.pause(await requestProject(projects, request), { seconds, indefinite });
    }),
    route(resumeAssetQueue, async (request) => queue.resume(await requestProject(projects, request))),
    route(getAssetQueueEntry, async (request) => {
      const project = await requestProject(projects, request);
      await rescans.requireAsset(project, request.params.id);
      return queue.entry(project, request.params.id);
    }),
    route(reportVramPressure, async (request) => {
      const { level, duration_seconds = PRESSURE_S } = request.body;
      const project = await requestProject(projects, request);
      await llms
        .reportPressure(level, duration_seconds)
        .catch((error: unknown) => log.warn(`the AI surface was not told of pressure: ${messageOf(error)}`));
      return queue.pressure(project, level, duration_seconds);
    }),
    route(rescanQueuedAsset, async (request) => {
      const project = await requestProject(projects, request);
      await rescans.one(project, request.params.id);
      return queue.entry(project, request.params.id);
    }),
    route(rescanQueuedAssets, async (request) => {
      const project = await requestProject(projects, request);
      const ids = request.body?.asset_ids;
      const found = await (ids ? rescans.some(project, ids) : rescans.all(project));
      return { ...found, queue: await queue.status(project) };
    }),
  ];
}
