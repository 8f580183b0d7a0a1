import { hostname, userInfo } from 'node:os';
import { LOCAL_TENANT } from '../access/local-tenant.ts';
import {
  createProjectRegistry,
  desktopModule,
  type ProjectRegistry,
  type ReconnectTiming,
} from '../exchange/desktop/index.ts';
import { assemble } from '../frame/assemble.ts';
import { notFound, unavailable } from '../kit/errors.ts';
import { createLocalGuard } from '../kit/http/local-guard.ts';
import { desktopSessionModule } from '../people/desktop-session/index.ts';
import { createCloudAccountsClient } from '../remote/cloud-accounts-client.ts';
import { cloudSocketOpener } from '../remote/cloud-socket.ts';
import { localStorage, privateEndpointsOf } from './blobs.ts';
import { type CoreKind, startContentCore } from './content-core.ts';
import type { LocalFolders } from './content-storage.ts';
import { type Core, type LocalCoreOptions, openLocalKind } from './core.surface.ts';
import { projectFolder } from './folders.ts';
import { localInstallation } from './installation.ts';
import { existingFolder, openProjectFolders } from './platform.ts';
import { openBase } from './service.ts';
import { fillContentFolder } from './starter.ts';

const OWNER = 'Owner';

export interface DesktopOptions extends LocalCoreOptions {
  timing?: ReconnectTiming;
}

/** A core on a user's own machine, where any folder can be a project; requests from this machine need no token. */
export async function createDesktop(options: DesktopOptions): Promise<Core> {
  const { config, clock, timing } = options;
  const base = await openBase(options);
  const registry = createProjectRegistry({ database: base.database.tenant(LOCAL_TENANT), clock });
  const ownFolder = (projectId: string) => projectFolder(config, projectId);
  const folderOf = (projectId: string) => registry.find(projectId)?.folder ?? ownFolder(projectId);
  const others = () => registry.folders().map(({ folder }) => folder);
  const privateEndpoints = privateEndpointsOf(config);
  const { kind, users, signIn, sessionCookies } = await openLocalKind(
    base,
    {
      folders: registeredFolders(registry, openProjectFolders(config)),
      localStorage: localStorage(config, { folderOf, others }),
    },
    options,
  );
  const own = {
    registry,
    desktopFolders: {
      ownFolder,
      dataDir: config.dataDir,
      isThere: async (folder: string) => (await existingFolder(folder)) !== null,
      fill: (folder: string) => fillContentFolder(folder, { sample: false }),
    },
    cloudAccounts: createCloudAccountsClient(privateEndpoints),
    openSocket: cloudSocketOpener(privateEndpoints),
    machine: hostname().slice(0, 100) || 'this computer',
    timing,
  };
  const session = assemble({ ownerName: ownerName(), sessionCookies }, [desktopSessionModule], signIn);
  const desktop: CoreKind = {
    ...kind,
    people: {
      ...kind.people,
      modules: [
        { name: 'desktop projects', routes: [], start: registry.load },
        ...kind.people.modules,
        ...session.modules,
      ],
    },
    installation: localInstallation('desktop', users, config),
    guard: createLocalGuard(config.corsOrigins),
    defaultProject: registry.active,
    above: (context, content) => assemble({ ...context, ...own }, [desktopModule], content),
  };
  return { ...(await startContentCore(base, desktop, options)), users };
}

/** The system's name for the person whose machine it is; some containers have none. */
function ownerName(): string {
  try {
    return userInfo().username.slice(0, 100) || OWNER;
  } catch {
    return OWNER;
  }
}

/** Registered folders come first; a folder that was removed does not exist and is not created again. */
function registeredFolders(registry: ProjectRegistry, own: LocalFolders): LocalFolders {
  return {
    ...own,
    rootOf: (tenantId, projectId) => registry.find(projectId)?.folder ?? own.rootOf(tenantId, projectId),
    async open(tenantId, projectId) {
      const known = registry.find(projectId);
      if (known?.removed_at) return null;
      if (!known?.folder) return own.open(tenantId, projectId);
      const files = await existingFolder(known.folder);
      if (files) return files;
      throw unavailable(`The folder ${known.folder} of this project is missing: is its disk mounted?`, 30);
    },
    async list(tenantId) {
      const ids = [
        ...((await own.list(tenantId)) ?? []),
        ...registry.folders().map(({ projectId }) => projectId),
      ];
      return ids.filter((projectId) => !registry.find(projectId)?.removed_at);
    },
    async create(tenantId, projectId, beginning) {
      if (registry.find(projectId)?.removed_at)
        throw notFound(`'${projectId}' is no project here any more: add its folder again`, {
          code: 'no_such_project',
        });
      return own.create(tenantId, projectId, beginning);
    },
  };
}
