import type { Log } from '../../kit/log.ts';
import type { ProjectPart } from '../../world/projects/index.ts';
import { createSync, type SyncOptions } from '../sync/index.ts';
import type { CloudDb } from './cloud.tables.ts';
import type { AskToken, OpenCloud } from './cloud-port.ts';
import { createCloudReplica } from './cloud-replica.ts';
import type { CloudSync } from './cloud-sync.ts';
import { createCloudTenants } from './cloud-tenant.ts';
import { countOpenConflicts } from './conflicts.store.ts';
import { createCloudConflicts } from './conflicts.ts';
import type { CloudLinks } from './links.service.ts';

export interface CloudSyncOptions extends Omit<SyncOptions, 'replica' | 'replicas'> {
  links: CloudLinks;
  openCloud: OpenCloud;
  log: Log;
}

export function createCloudSync(
  options: CloudSyncOptions,
): CloudSync & { part: ProjectPart; idle(): Promise<void> } {
  const { links, openCloud, log } = options;
  const cloudTenants = createCloudTenants();
  const conflicts = createCloudConflicts(options);
  const sync = createSync({
    ...options,
    replica: 'cloud',
    replicas: {
      current: ({ tenantId }) => links.current(tenantId),
      require: ({ tenantId }) => links.require(tenantId),
      countConflicts: (db, project) => countOpenConflicts(db as unknown as CloudDb, project),
      async open(project) {
        const { tenantId, projectId } = project;
        const link = await links.require(tenantId);
        const { url } = link;
        const token: AskToken = (refused) => links.accessToken(tenantId, link, refused);
        return createCloudReplica({
          project,
          link,
          log,
          cloud: openCloud({ url, token, projectId }),
          cloudTenant: async (ask) => cloudTenants(tenantId, { url, token: await token() }, ask),
        });
      },
    },
  });
  return {
    ...sync,
    links,
    conflicts: conflicts.list,
    async resolve(project, conflictId, choice, author) {
      const resolved = await conflicts.resolve(project, conflictId, choice, author);
      sync.hint(project);
      return resolved;
    },
  };
}
