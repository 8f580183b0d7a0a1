import type { DriveAccounts } from '../../access/drive-accounts.ts';
import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { OpenDrive } from '../../platform/drive/drive.ts';
import { conflictRecordsModule } from '../../world/conflict-records/index.ts';
import { templatesModule } from '../../world/definitions/index.ts';
import { entitiesModule } from '../../world/entities/index.ts';
import { mirrorModule } from '../../world/mirror/index.ts';
import { projectsModule } from '../../world/projects/index.ts';
import { realtimeModule } from '../realtime/index.ts';
import { channelRoutes } from './channels.routes.ts';
import { createDriveChannels } from './channels.service.ts';
import { createDriveConnections } from './connections.service.ts';
import { driveRoutes } from './drive.routes.ts';
import { driveMigrations } from './drive.tables.ts';
import type { DriveSync } from './drive-sync.ts';
import { createDrives } from './drives.ts';
import { fileRoutes } from './files.routes.ts';
import { createNotifications } from './notifications.ts';
import { driveItemMigrations } from './replica/drive-items.tables.ts';
import { TAG } from './shared.contract.ts';
import { createDriveWorker } from './worker/drive-worker.ts';

export interface DriveContext extends CoreContext {
  driveAccounts: DriveAccounts;
  openDrive: OpenDrive;
  /** Of tests that look at what it is told. */
  driveSync?: DriveSync;
}

/** A folder of a cloud drive that a project is kept equal to, and the users' files there (spec 2 §2.4, §4.2 to §4.4). */
export const driveModule = defineModule({
  name: 'drive',
  tags: {
    [TAG]: 'A folder of a cloud drive that a world is kept equal to, and files there.',
  },
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    entities: entitiesModule,
    mirror: mirrorModule,
    conflicts: conflictRecordsModule,
    realtime: realtimeModule,
  },
  tables: [...driveMigrations, ...driveItemMigrations],
  create(context: DriveContext, { projects, realtime, templates, entities, mirror, conflicts }) {
    const { database, clock, config, driveAccounts: accounts, openDrive } = context;
    const log = context.log.child('drive');
    const drives = createDrives({ accounts, openDrive, config });
    const channels = createDriveChannels({ database, clock, log, drives, config });
    const { countDesktops } = realtime;
    const worker = createDriveWorker({
      ...context,
      ...entities,
      ...{ projects, templates, mirror, drives, channels, countDesktops, log },
      conflicts: conflicts.records,
    });
    const sync = context.driveSync ?? worker.sync;
    const connections = createDriveConnections({ database, clock, drives, channels, sync });
    const notifications = createNotifications({ database, sync });
    return {
      service: { work: worker.work },
      start: worker.start,
      stop: worker.stop,
      routes: [
        ...driveRoutes({ projects, drives, connections, sync, countDesktops }),
        ...fileRoutes({ projects, drives, connections }),
        ...channelRoutes({ projects, channels, notifications }),
      ],
    };
  },
});
