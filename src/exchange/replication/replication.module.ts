import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Assets } from '../../world/assets/assets.service.ts';
import type { AssetRecycleBin } from '../../world/assets/recycle.service.ts';
import type { ConflictRecords } from '../../world/conflicts/conflict-records.ts';
import type { Resolve } from '../../world/conflicts/resolve.service.ts';
import type { Entities } from '../../world/entities/entities.service.ts';
import type { MoveMany } from '../../world/entities/move-many.service.ts';
import type { RecycleBin } from '../../world/entities/recycle.service.ts';
import type { WriteMany } from '../../world/entities/write-many.service.ts';
import type { Mirror } from '../../world/mirror/mirror.service.ts';
import type { Projects } from '../../world/projects/projects.service.ts';
import type { StorageRoom } from '../../world/records/storage-room.ts';
import type { TemplateRegistry } from '../../world/templates/templates.registry.ts';
import type { Batches } from '../../world/uploads/batch.service.ts';
import { createAnsweredOnce } from './answered-once.ts';
import { createPlaces } from './places.ts';
import { createPull } from './pull.service.ts';
import { createPush } from './push.service.ts';
import { createPushEntity } from './push-entity.ts';
import { createPushFiles } from './push-files.ts';
import { createPushMany } from './push-many.ts';
import { createPushMoves } from './push-moves.ts';
import { replicationRoutes } from './replication.routes.ts';

export interface ReplicationOptions {
  projects: Projects;
  templates: TemplateRegistry;
  entities: Entities;
  recycleBin: RecycleBin;
  writeMany: WriteMany;
  moveMany: MoveMany;
  conflicts: ConflictRecords;
  resolve: Resolve;
  mirror: Mirror;
  assets: Assets;
  assetBin: AssetRecycleBin;
  batches: Batches;
  room: StorageRoom;
  clock: Clock;
}

/** The cloud's side of replication: what installs push to and pull from. */
export function createReplicationModule(options: ReplicationOptions): Module {
  const { projects, conflicts, resolve, batches } = options;
  const places = createPlaces(options);
  const pushEntity = createPushEntity(options);
  const push = createPush({
    ...options,
    places,
    pushEntity,
    pushMoves: createPushMoves({ ...options, pushEntity }),
    pushMany: createPushMany(options),
    pushFiles: createPushFiles(options),
  });
  const answeredOnce = createAnsweredOnce(options);
  return {
    name: 'replication',
    routes: replicationRoutes({
      projects,
      conflicts,
      resolve,
      batches,
      answeredOnce,
      push,
      pull: createPull({ ...options, places }),
    }),
  };
}
