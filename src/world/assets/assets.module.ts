import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { messageOf } from '../../kit/errors.ts';
import { templatesModule } from '../definitions/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { mirrorModule } from '../mirror/index.ts';
import { projectsModule } from '../projects/index.ts';
import { createAddresses } from './addresses.ts';
import { assetRoutes } from './assets.routes.ts';
import { createAssets } from './assets.service.ts';
import { assetMigrations } from './assets.tables.ts';
import { createDuplicates } from './duplicates.service.ts';
import { createEntryChanges } from './entry-changes.ts';
import { createAssetFiles } from './files.service.ts';
import { createFollower } from './follow.ts';
import { insightRoutes } from './insights.routes.ts';
import { createInsights } from './insights.service.ts';
import { createMeasureRequests } from './measure-requests.ts';
import { createMissing } from './missing.service.ts';
import { assetRecycleRoutes } from './recycle.routes.ts';
import { createAssetRecycleBin } from './recycle.service.ts';
import { createRescans } from './rescan.service.ts';
import { createSanitizing } from './sanitize.service.ts';
import { createScans } from './scan.service.ts';
import { createSidecars } from './sidecars.ts';
import { createStorageRoom } from './storage-room.ts';
import { uploadRoutes } from './upload.routes.ts';
import { createUploads } from './upload.service.ts';

/** Images, sound, models and data of a world: finding, describing and serving them (spec 1 §4.5). */
export const assetsModule = defineModule({
  name: 'assets',
  tags: {
    Assets: 'Images, sound, models and data: found in the folder, described, uploaded, related, served.',
  },
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    entities: entitiesModule,
    mirror: mirrorModule,
  },
  tables: assetMigrations,
  create(context: CoreContext, { projects, templates, mirror, entities: { entities, recycleBin } }) {
    const { images, jobs, clock } = context;
    const log = context.log.child('assets');
    const addresses = createAddresses(context.signedAddresses);
    const room = createStorageRoom(context.storageLimitOf, clock);
    const sidecars = createSidecars({ templates, clock });
    const follower = createFollower({ sidecars, clock });
    const requestMeasures = createMeasureRequests(jobs);
    const entries = createEntryChanges({ sidecars, follower, clock });
    const assets = createAssets({ entities, mirror, sidecars, entries, follower, addresses, clock });
    const scans = createScans({ entities, mirror, follower, clock });
    const files = createAssetFiles({ templates });
    const bin = createAssetRecycleBin({ assets, sidecars, follower, mirror, templates, clock });
    const uploads = createUploads({
      assets,
      bin,
      sidecars,
      entities,
      templates,
      requestMeasures,
      room,
      clock,
    });
    recycleBin.onEmptied(bin.empty);
    return {
      service: {
        assets,
        uploads,
        bin,
        rescans: createRescans({ jobs, follower }),
        addresses,
        room,
        entries,
        follow: follower.follow,
      },
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
        // This runs beside a long sync; the run at its end repeats it and reports errors.
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
  },
});
