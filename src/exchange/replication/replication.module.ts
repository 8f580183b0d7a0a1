import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { assetsModule } from '../../world/assets/index.ts';
import { conflictRecordsModule } from '../../world/conflict-records/index.ts';
import { conflictsModule } from '../../world/conflicts/index.ts';
import { templatesModule } from '../../world/definitions/index.ts';
import { entitiesModule } from '../../world/entities/index.ts';
import { mirrorModule } from '../../world/mirror/index.ts';
import { projectsModule } from '../../world/projects/index.ts';
import { uploadsModule } from '../../world/uploads/index.ts';
import { createAnsweredOnce } from './answered-once.ts';
import { createCursors } from './cursors.ts';
import { createPull } from './pull.service.ts';
import { createPush } from './push.service.ts';
import { createPushEntity } from './push-entity.ts';
import { createPushFiles } from './push-files.ts';
import { createPushMany } from './push-many.ts';
import { createPushMoves } from './push-moves.ts';
import { replicationRoutes } from './replication.routes.ts';
import { replicationMigrations } from './replication.tables.ts';

/** The cloud's side of replication. */
export const replicationModule = defineModule({
  name: 'replication',
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    entities: entitiesModule,
    conflictRecords: conflictRecordsModule,
    conflicts: conflictsModule,
    mirror: mirrorModule,
    assets: assetsModule,
    uploads: uploadsModule,
  },
  tables: replicationMigrations,
  create({ clock }: CoreContext, services) {
    const { projects, templates, mirror } = services;
    const { records: conflicts } = services.conflictRecords;
    const { resolve } = services.conflicts;
    const { assets, bin: assetBin, room } = services.assets;
    const { batches } = services.uploads;
    const options = {
      ...services.entities,
      projects,
      templates,
      conflicts,
      mirror,
      assets,
      assetBin,
      room,
      clock,
    };
    const cursors = createCursors(options);
    const pushEntity = createPushEntity(options);
    const push = createPush({
      ...options,
      cursors,
      pushEntity,
      pushMoves: createPushMoves({ ...options, pushEntity }),
      pushMany: createPushMany(options),
      pushFiles: createPushFiles(options),
    });
    return {
      routes: replicationRoutes({
        projects,
        conflicts,
        resolve,
        batches,
        answeredOnce: createAnsweredOnce(options),
        push,
        pull: createPull({ ...options, cursors }),
      }),
    };
  },
});
