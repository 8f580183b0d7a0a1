import { silentLog } from '../../src/kit/log.ts';
import { createGoogleDrive } from '../../src/platform/drive/adapters/google-drive.ts';
import { startCore, type TestCore } from '../../test/support/core.ts';
import { type DriveServer, startDriveServer } from '../../test/support/drive/drive-server.ts';
import { replicaOf } from '../../test/support/drive/replica-of.ts';
import { type EngineInstall, startEngineInstall } from '../../test/support/engine/engine-install.ts';
import { createLife } from '../../test/support/engine/life.ts';

export interface DriveInstall {
  server: DriveServer;
  install: EngineInstall;
  /** The connected folder. */
  rootId: string;
  close(): Promise<void>;
}

/** A drive with an empty folder, and an empty project of the core that is connected to it. No round has run yet. */
export async function startDriveInstall(core: TestCore, projectId: string): Promise<DriveInstall> {
  const server = await startDriveServer();
  const rootId = server.owner.createFolder(server.rootId, 'World');
  const google = createGoogleDrive({ apiBase: server.url, log: silentLog });
  const drive = google({ token: async () => server.token });
  const install = await startEngineInstall(core, {
    name: projectId,
    projectId,
    replica: 'drive',
    life: createLife(() => {}),
    open: (project) => replicaOf(core, { project, drive, folderId: rootId }),
  });
  return {
    server,
    install,
    rootId,
    async close() {
      await install.close();
      google.close();
      await server.close();
    },
  };
}

/** A core without a network. */
export const startBenchCore = (): Promise<TestCore> =>
  startCore({ content: 'templates', env: { SWEEP_INTERVAL: '3600s' } });
