import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Images } from '../../platform/images/images.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { RecycleBin } from '../entities/recycle.service.ts';
import type { Mirror } from '../mirror/mirror.service.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { StorageRoom } from '../records/storage-room.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import type { Addresses } from './addresses.ts';
import { assetRoutes } from './assets.routes.ts';
import { type Assets, createAssets } from './assets.service.ts';
import { createDuplicates } from './duplicates.service.ts';
import { createAssetFiles } from './files.service.ts';
import { createFollower } from './follow.ts';
import { insightRoutes } from './insights.routes.ts';
import { createInsights } from './insights.service.ts';
import { createMeasureRequests } from './measure-requests.ts';
import { createMissing } from './missing.service.ts';
import { assetRecycleRoutes } from './recycle.routes.ts';
import { type AssetRecycleBin, createAssetRecycleBin } from './recycle.service.ts';
import { createRescans, type Rescans } from './rescan.service.ts';
import { createSanitizing } from './sanitize.service.ts';
import { createScans } from './scan.service.ts';
import { createSidecars } from './sidecars.ts';
import { uploadRoutes } from './upload.routes.ts';
import { createUploads, type Uploads } from './upload.service.ts';

export interface AssetsModuleOptions {
  projects: Projects;
  templates: TemplateRegistry;
  entities: Entities;
  recycleBin: RecycleBin;
  mirror: Mirror;
  images: Images;
  jobs: Jobs;
  addresses: Addresses;
  room: StorageRoom;
  clock: Clock;
  log: Log;
}

export interface AssetsModule extends Module {
  assets: Assets;
  uploads: Uploads;
  rescans: Rescans;
  bin: AssetRecycleBin;
}

export { ASSET_QUEUE } from './assets.jobs.ts';
export type { Rescans } from './rescan.service.ts';

/** Images, sound, models and data of a world: found, described and served (spec 1 §4.5). */
export function createAssetsModule(options: AssetsModuleOptions): AssetsModule {
  const { projects, templates, entities, recycleBin, mirror, images, jobs, addresses, room, clock, log } =
    options;
  const sidecars = createSidecars({ templates, clock });
  const follower = createFollower({ sidecars, clock });
  const requestMeasures = createMeasureRequests(jobs);
  const assets = createAssets({ entities, mirror, sidecars, follower, addresses, clock });
  const scans = createScans({ entities, mirror, follower, clock });
  const files = createAssetFiles({ templates });
  const bin = createAssetRecycleBin({ assets, sidecars, follower, mirror, templates, clock });
  const uploads = createUploads({ assets, bin, sidecars, entities, templates, requestMeasures, room, clock });
  recycleBin.onEmptied(bin.empty);
  return {
    name: 'assets',
    assets,
    uploads,
    bin,
    rescans: createRescans({ jobs, follower }),
    routes: [
      ...assetRoutes({ projects, assets, scans, files }),
      ...uploadRoutes({ projects, uploads }),
      ...assetRecycleRoutes({ projects, bin }),
      ...insightRoutes({
        projects,
        insights: createInsights({ assets, entities, follower, images }),
        findDuplicates: createDuplicates(follower),
        findMissing: createMissing({ follower, clock }),
        sanitizeIds: createSanitizing({ sidecars, follower }),
      }),
    ],
    async start() {
      // Beside a long sync, whose end follows the rest and tells what failed.
      mirror.onStored((project) => follower.advance(project).catch(() => {}));
      mirror.onSynced(async (project) => {
        try {
          await follower.follow(project);
          await bin.heal(project);
          await requestMeasures(project);
        } catch (error) {
          log.warn(`assets of ${project.projectId} are behind their files: ${messageOf(error)}`);
        }
      });
    },
  };
}
