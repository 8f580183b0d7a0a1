import { LOCAL_TENANT } from '../access/local-tenant.ts';
import { type Assembled, assemble, type MountedModule } from '../frame/assemble.ts';
import type { Base } from '../frame/context.ts';
import { createLogFiles } from '../kit/log/index.ts';
import { apiKeysModule } from '../people/api-keys/index.ts';
import { authModule, createSessionCookies, type SessionCookies } from '../people/auth/index.ts';
import { localAllowances } from '../people/credits/index.ts';
import { fixedPlan } from '../people/tenants/index.ts';
import { type PasswordOptions, peopleModule, type Users } from '../people/users/index.ts';
import { createSharpImages } from '../platform/images/adapters/sharp-images.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import { unconfiguredDriveAccounts } from '../remote/no-drive-accounts.ts';
import { createLogsModule } from '../service/operations/index.ts';
import type { LocalStorage } from '../world/storage/index.ts';
import { localStorage } from './blobs.ts';
import { browserSessions, cookieNamesOf } from './browser-sessions.ts';
import { type ContentCore, type CoreKind, type CoreOptions, startContentCore } from './content-core.ts';
import { localPeopleModules, localSignInModules } from './core-modules.ts';
import { logFolder } from './folders.ts';
import { localInstallation } from './installation.ts';
import { openMoney } from './money.ts';
import { openAvatarFiles, openMailer, openProjectFolders } from './platform.ts';
import { publicUrlOf } from './public-url.ts';
import { openBase } from './service.ts';

export interface Core extends ContentCore {
  users: Users;
}

export interface LocalCoreOptions extends CoreOptions {
  passwordOptions?: PasswordOptions;
}

export interface LocalPlaces {
  folders: CoreKind['folders'];
  localStorage: LocalStorage;
}

/** The self-hosted core: everything a single tenant needs in one process (spec 1 §1). */
export async function createCore(options: LocalCoreOptions): Promise<Core> {
  const { config } = options;
  const base = await openBase(options);
  const places = { folders: openProjectFolders(config), localStorage: localStorage(config) };
  const { kind, users } = await openLocalKind(base, places, options);
  return { ...(await startContentCore(base, kind, options)), users };
}

interface LocalKind {
  kind: CoreKind;
  users: Users;
  signIn: Assembled;
  sessionCookies: SessionCookies;
}

/** The parts of a core for a single-tenant installation with its own accounts. */
export async function openLocalKind(
  base: Base,
  places: LocalPlaces,
  { log, passwordOptions }: Pick<LocalCoreOptions, 'log' | 'passwordOptions'>,
): Promise<LocalKind> {
  const { config } = base;
  const plan = config.localPlan;
  const images = createSharpImages();
  const cookieName = cookieNamesOf(config, config.publicUrl);
  const sessionCookies = createSessionCookies(cookieName);
  const signIn = assemble({ ...base, passwordOptions, sessionCookies }, localSignInModules);
  const people = assemble(
    {
      ...base,
      images,
      avatarFiles: await openAvatarFiles(config),
      planOfTenant: async () => ({ plan, overrides: {} }),
      authenticateTokens: signIn.service(authModule).authenticate,
    },
    localPeopleModules,
    signIn,
  );
  const { users } = signIn.service(peopleModule);
  const mailer = await openMailer(config, base.clock);
  const money = await openMoney(base, {
    mailer,
    publicUrl: publicUrlOf(config),
    users,
    identity: signIn.service(authModule).identity,
    planGrants: fixedPlan,
    readAllowances: localAllowances(plan),
    tenantOf: async () => ({ name: 'this installation', plan, maxUsers: -1 }),
    isOperator: async () => true,
    localPlan: plan,
  });
  const logs = createLogsModule(createLogFiles({ folder: logFolder(config.dataDir), flush: log.flush }));
  const kind: CoreKind = {
    ...places,
    people: {
      modules: [mailOf(mailer), ...signIn.modules, ...people.modules, logs, ...money.modules],
      tags: { ...signIn.tags, ...people.tags, ...money.tags },
    },
    images,
    credits: money.credits,
    driveAccounts: unconfiguredDriveAccounts,
    authenticate: people.service(apiKeysModule).authenticate,
    anonymous: { tenantId: LOCAL_TENANT, plan },
    cookies: browserSessions(config.corsOrigins, config.publicUrl, cookieName),
    workFolder: config.dataDir,
    worksItself: true,
    installation: localInstallation('self_hosted', users, config),
    planOf: () => plan,
    // Plans limit storage in the cloud; here it is the installation's own disk.
    storageLimitOf: () => -1,
    nameOf: async (userId: string) => (await users.findById(userId))?.displayName ?? null,
  };
  return { kind, users, signIn, sessionCookies };
}

const mailOf = (mailer: Mailer): MountedModule => ({ name: 'mail', routes: [], stop: () => mailer.close() });
