import { after, before } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { type Installation, startInstallation } from '../../../test/support/installs.ts';
import { listen } from '../../../test/support/listen.ts';
import { silentLog } from '../../kit/log.ts';
import { cloudOpener } from '../../remote/cloud-client.ts';
import { replicaConformance } from '../sync/replica.conformance.ts';
import { createCloudReplica } from './cloud-replica.ts';

let hub: TestCore;
let install: Installation;
let url: string;

before(async () => {
  hub = await startCore();
  url = await listen(hub);
  install = await startInstallation({ url, token: hub.adminToken }, {});
});
after(() => Promise.all([install.core.close(), hub.close()]));

const openCloud = cloudOpener('admitted');

replicaConformance('a cloud', async () =>
  createCloudReplica({
    project: install.project,
    cloud: openCloud({ url, token: async () => hub.adminToken, projectId: 'conformance' }),
    link: { url, by: 'signed_in', account: null, linked_at: null, ended: null },
    cloudTenant: async (ask) => (await ask()).tenant_id,
    log: silentLog,
  }),
);
