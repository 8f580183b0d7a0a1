import { after, before } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../../test/support/core.ts';
import { type DriveServer, startDriveServer } from '../../../../test/support/drive/drive-server.ts';
import { replicaOf } from '../../../../test/support/drive/replica-of.ts';
import { silentLog } from '../../../kit/log.ts';
import { createGoogleDrive } from '../../../platform/drive/adapters/google-drive.ts';
import { replicaConformance } from '../../sync/replica.conformance.ts';

let core: TestCore;
let server: DriveServer;
let google: ReturnType<typeof createGoogleDrive>;
let folderId: string;

before(async () => {
  core = await startCore();
  server = await startDriveServer();
  google = createGoogleDrive({ apiBase: server.url, log: silentLog });
  folderId = server.owner.createFolder(server.rootId, 'World');
  server.pick(folderId);
});
after(async () => {
  google.close();
  await server.close();
  await core.close();
});

replicaConformance(
  'a drive',
  async () =>
    replicaOf(core, {
      project: openedProject(core),
      drive: google({ token: async () => server.token }),
      folderId,
    }),
  { knowsOwn: false },
);
