import { after, before } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../../test/support/core.ts';
import { type DriveServer, startDriveServer } from '../../../../test/support/drive/drive-server.ts';
import { systemClock } from '../../../kit/clock.ts';
import { silentLog } from '../../../kit/log.ts';
import { createGoogleDrive } from '../../../platform/drive/adapters/google-drive.ts';
import { createConflictFiles } from '../../../world/conflict-records/conflict-files.ts';
import { createConflictRecords } from '../../../world/conflict-records/conflict-records.ts';
import { replicaConformance } from '../../sync/replica.conformance.ts';
import { createDriveReplica } from './drive-replica.ts';

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
    createDriveReplica({
      project: openedProject(core),
      drive: google({ token: async () => server.token }),
      root: { folderId, name: 'World' },
      templates: core.templates,
      conflicts: createConflictRecords({
        templates: core.templates,
        files: createConflictFiles({ log: silentLog }),
        clock: systemClock,
      }),
      force: false,
      log: silentLog,
      link: { url: server.url, by: 'signed_in' },
    }),
  { knowsOwn: false },
);
