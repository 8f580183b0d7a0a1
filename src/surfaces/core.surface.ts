import { LOCAL_TENANT } from '../access/local-tenant.ts';
import { createLogFiles } from '../kit/log/index.ts';
import { createApiKeysModule } from '../people/api-keys/api-keys.module.ts';
import { createAuthModule } from '../people/auth/auth.module.ts';
import { createInvitesModule } from '../people/invites/invites.module.ts';
import type { PasswordOptions } from '../people/users/passwords.ts';
import { createAccounts, createUsersModule } from '../people/users/users.module.ts';
import type { Users } from '../people/users/users.service.ts';
import { createSharpImages } from '../platform/images/adapters/sharp-images.ts';
import { createLogsModule } from '../service/operations/operations.module.ts';
import type { LocalStorage } from '../world/storage/settings.service.ts';
import { localStorage } from './blobs.ts';
import { type ContentCore, type CoreOptions, startContentCore, type Tenancy } from './content-core.ts';
import { logFolder } from './folders.ts';
import { openAvatarFiles, openProjectFolders } from './platform.ts';
import { type Base, openBase } from './service.ts';

export interface Core extends ContentCore {
  users: Users;
}

export interface LocalCoreOptions extends CoreOptions {
  /** Tests hash passwords cheaply. */
  passwordOptions?: PasswordOptions;
}

/** Where a self-hosted core's projects lie. */
export interface LocalPlaces {
  folders: Tenancy['folders'];
  localStorage: LocalStorage;
}

/** The self-hosted core: everything a single tenant needs in one process (spec 1 §1). */
export async function createCore(options: LocalCoreOptions): Promise<Core> {
  const { config } = options;
  const base = await openBase(options);
  const places = { folders: openProjectFolders(config), localStorage: localStorage(config) };
  const { tenancy, users } = await openLocalTenancy(base, places, options);
  return { ...(await startContentCore(base, tenancy, options)), users };
}

/** The one tenant of an installation, whose people are its own. */
export async function openLocalTenancy(
  base: Base,
  places: LocalPlaces,
  { log, passwordOptions }: Pick<LocalCoreOptions, 'log' | 'passwordOptions'>,
): Promise<{ tenancy: Tenancy; users: Users }> {
  const { config, clock, database, rateLimit, keyValue } = base;
  const plan = config.localPlan;
  const images = createSharpImages();
  const accounts = createAccounts({
    database,
    clock,
    tenantId: LOCAL_TENANT,
    ...(passwordOptions && { passwordOptions }),
  });
  const { users } = accounts;
  const auth = createAuthModule({ database, clock, config, log, rateLimit, keyValue, accounts });
  const apiKeys = createApiKeysModule({
    database,
    users,
    clock,
    planOf: async () => ({ plan, overrides: {} }),
    authenticate: auth.authenticate,
  });
  const modules = [
    createUsersModule({
      users,
      database,
      clock,
      images,
      avatarFiles: await openAvatarFiles(config),
    }),
    auth,
    apiKeys,
    createInvitesModule({ database, users, clock, registration: config.registration, auth: auth.auth }),
    createLogsModule(createLogFiles({ folder: logFolder(config.dataDir), flush: log.flush })),
  ];
  const tenancy: Tenancy = {
    ...places,
    modules,
    images,
    authenticate: apiKeys.authenticate,
    anonymous: { tenantId: LOCAL_TENANT, plan },
    workFolder: config.dataDir,
    worksItself: true,
    planOf: () => plan,
    // What plans limit is storage in the cloud; this is the installation's own disk.
    storageLimitOf: () => -1,
    nameOf: async (userId: string) => (await users.findById(userId))?.displayName ?? null,
  };
  return { tenancy, users };
}
