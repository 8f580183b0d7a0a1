import type { PlanName } from '../../access/plans.ts';
import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Config } from '../../kit/config/index.ts';
import type { Log } from '../../kit/log.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Entities } from '../../world/entities/entities.service.ts';
import type { MoveMany } from '../../world/entities/move-many.service.ts';
import type { RecycleBin } from '../../world/entities/recycle.service.ts';
import type { WriteMany } from '../../world/entities/write-many.service.ts';
import type { Mirror } from '../../world/mirror/mirror.service.ts';
import type { Projects } from '../../world/projects/projects.service.ts';
import type { TemplateRegistry } from '../../world/templates/templates.registry.ts';
import type { OpenCloud } from './cloud-port.ts';
import { cloudSyncRoutes } from './cloud-sync.routes.ts';
import type { CloudSync } from './cloud-sync.ts';
import { createCloudLinks } from './links.service.ts';
import { createCloudSync } from './sync.service.ts';

export interface CloudSyncModule extends Module {
  sync: CloudSync;
}

export interface CloudSyncModuleOptions {
  projects: Projects;
  templates: TemplateRegistry;
  entities: Entities;
  writeMany: WriteMany;
  moveMany: MoveMany;
  recycleBin: RecycleBin;
  mirror: Mirror;
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  config: Pick<Config, 'cloudUrl' | 'cloudToken'>;
  box: SecretBox;
  openCloud: OpenCloud;
  planOf(tenantId: string): PlanName;
}

/** An installation kept the same as a cloud (spec 1 §4.4; docs/design.md, "Replication"). */
export function createCloudSyncModule(options: CloudSyncModuleOptions): CloudSyncModule {
  const { projects, config, bus } = options;
  const { cloudUrl: url, cloudToken: token } = config;
  const links = createCloudLinks({
    ...options,
    settings: url !== null && token !== null ? { url, token } : null,
  });
  const { part, idle, ...sync } = createCloudSync({ ...options, links });
  let unsubscribe = () => {};
  return {
    name: 'cloud-sync',
    sync,
    routes: cloudSyncRoutes({ projects, sync }),
    async start() {
      projects.attach(part);
      // What somebody changes here goes to the cloud soon.
      unsubscribe = bus.subscribe((tenantId, { project_id: projectId }) => {
        if (typeof projectId === 'string') sync.hint({ tenantId, projectId });
      });
    },
    async stop() {
      unsubscribe();
      await idle();
    },
  };
}
