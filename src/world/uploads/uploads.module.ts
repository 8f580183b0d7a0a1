import { join } from 'node:path';
import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Assets } from '../assets/assets.service.ts';
import type { Uploads } from '../assets/upload.service.ts';
import type { Mirror } from '../mirror/mirror.service.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { Stores } from '../storage/stores.service.ts';
import { batchRoutes } from './batch.routes.ts';
import { type Batches, createBatches } from './batch.service.ts';
import type { Batch } from './batch.ts';
import { BATCH_KEPT_MS, createBatchObjects } from './batch-objects.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createKeptFolders } from './kept-folders.ts';
import { createParts } from './parts.ts';
import { resumableRoutes } from './resumable.routes.ts';
import { createResumable } from './resumable.service.ts';
import { createTurns } from './turns.ts';

const PARTS_KEPT_MS = 7 * 24 * 3_600_000;

export interface UploadsModuleOptions {
  projects: Projects;
  assets: Assets;
  uploads: Uploads;
  stores: Stores;
  database: Database;
  mirror: Mirror;
  /** Where bytes lie until they are assets, for all processes that take them. */
  folder: string;
  clock: Clock;
  log: Log;
}

/** Files too large for one request, in parts that can be resumed; and many at once. */
export interface UploadsModule extends Module {
  batches: Batches;
}

export function createUploadsModule(options: UploadsModuleOptions): UploadsModule {
  const { projects, assets, uploads, stores, database, mirror, folder, clock, log } = options;
  const parts = createParts({ folder: join(folder, 'parts'), keptMs: PARTS_KEPT_MS, clock });
  const takeTurn = createTurns({ locks: database, fileOf: (id) => parts.placeOf(id, 'turn') });
  const resumable = createResumable({ projects, assets, uploads, parts, takeTurn, clock });
  const folders = createKeptFolders<Batch>({ folder: join(folder, 'batches'), keptMs: BATCH_KEPT_MS, clock });
  const objects = createBatchObjects(folders);
  const batches = createBatches({ projects, assets, uploads, stores, folders, objects, clock });
  return {
    name: 'uploads',
    batches,
    routes: [...resumableRoutes(resumable), ...batchRoutes(batches)],
    async start() {
      mirror.onSynced(createHousekeeping({ parts, objects, stores, clock, log }));
    },
  };
}
