import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { templatesModule } from '../../world/definitions/index.ts';
import { entitiesModule } from '../../world/entities/index.ts';
import { mirrorModule } from '../../world/mirror/index.ts';
import { projectsModule } from '../../world/projects/index.ts';
import { syncMigrations } from '../sync/index.ts';
import { cloudSyncRoutes } from './cloud.routes.ts';
import { cloudMigrations } from './cloud.tables.ts';
import type { OpenCloud } from './cloud-port.ts';
import { createCloudSync } from './cloud-sync.service.ts';
import { createCloudLinks } from './links.service.ts';

export interface CloudSyncContext extends CoreContext {
  openCloud: OpenCloud;
}

/** Keeps an installation equal to a cloud (spec 1 §4.4). */
export const cloudSyncModule = defineModule({
  name: 'cloud-sync',
  tags: {
    'Cloud sync': 'An installation kept the same as a cloud: send, take over, and what waits.',
  },
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    entities: entitiesModule,
    mirror: mirrorModule,
  },
  tables: [...cloudMigrations, ...syncMigrations],
  create(context: CloudSyncContext, { projects, templates, mirror, entities }) {
    const { config, bus } = context;
    const { cloudUrl: url, cloudToken: token } = config;
    const log = context.log.child('cloud sync');
    const settings = url !== null && token !== null ? { url, token } : null;
    const links = createCloudLinks({ ...context, settings });
    const { part, idle, ...sync } = createCloudSync({
      ...context,
      ...entities,
      templates,
      mirror,
      log,
      links,
    });
    let unsubscribe = () => {};
    return {
      service: sync,
      routes: cloudSyncRoutes({ projects, sync }),
      async start() {
        projects.attach(part);
        // Local changes are pushed soon.
        unsubscribe = bus.onAny((_event, { tenantId, projectId }) => {
          if (projectId !== null) sync.hint({ tenantId, projectId });
        });
      },
      async stop() {
        unsubscribe();
        await idle();
      },
    };
  },
});
