import { join } from 'node:path';
import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { assetsModule } from '../assets/index.ts';
import { mirrorModule } from '../mirror/index.ts';
import { projectsModule } from '../projects/index.ts';
import { storageModule } from '../storage/index.ts';
import { batchRoutes } from './batch.routes.ts';
import { createBatches } from './batch.service.ts';
import type { Batch } from './batch.ts';
import { BATCH_KEPT_MS, createBatchObjects } from './batch-objects.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createKeptFolders } from './kept-folders.ts';
import { createParts } from './parts.ts';
import { resumableRoutes } from './resumable.routes.ts';
import { createResumable } from './resumable.service.ts';
import { createUploadLocks } from './upload-locks.ts';

const PARTS_KEPT_MS = 7 * 24 * 3_600_000;

/** Uploads in parts that can be resumed, for files too large for one request; and batches of many files. */
export const uploadsModule = defineModule({
  name: 'uploads',
  uses: { projects: projectsModule, storage: storageModule, mirror: mirrorModule, assets: assetsModule },
  create(context: CoreContext, { projects, storage: { stores }, mirror, assets: { assets, uploads } }) {
    const { database, clock } = context;
    const log = context.log.child('uploads');
    // Bytes are stored here until they become assets.
    const folder = join(context.workFolder, 'resumable');
    const parts = createParts({ folder: join(folder, 'parts'), keptMs: PARTS_KEPT_MS, clock });
    const withLock = createUploadLocks({ locks: database, fileOf: (id) => parts.placeOf(id, 'turn') });
    const resumable = createResumable({ projects, assets, uploads, parts, withLock, clock });
    const folders = createKeptFolders<Batch>({
      folder: join(folder, 'batches'),
      keptMs: BATCH_KEPT_MS,
      clock,
    });
    const objects = createBatchObjects(folders);
    const batches = createBatches({ projects, assets, uploads, stores, folders, objects, clock });
    return {
      service: { batches },
      routes: [...resumableRoutes(resumable), ...batchRoutes(batches)],
      async start() {
        mirror.onSynced(createHousekeeping({ parts, objects, stores, clock, log }));
      },
    };
  },
});
