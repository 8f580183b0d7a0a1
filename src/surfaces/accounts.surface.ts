import { LOCAL_TENANT } from '../access/local-tenant.ts';
import type { Module } from '../frame/module.ts';
import type { Config } from '../kit/config/index.ts';
import { createAccessChangesModule } from '../people/access-changes/access-changes.module.ts';
import { createAccessChanges } from '../people/access-changes/access-changes.service.ts';
import { createAccountsModule } from '../people/accounts/accounts.module.ts';
import { createSessionCookies, type SessionCookies } from '../people/accounts/session-cookies.ts';
import { createApiKeysModule, createIntrospectionModule } from '../people/api-keys/api-keys.module.ts';
import { createOAuthModule } from '../people/oauth/oauth.module.ts';
import { createTenantDeletionModule } from '../people/tenant-deletion/deletion.module.ts';
import { createTenantsModule } from '../people/tenants/tenants.module.ts';
import { createTenants, type Tenants } from '../people/tenants/tenants.service.ts';
import type { PasswordOptions } from '../people/users/passwords.ts';
import { createAccounts, createUsersSeam } from '../people/users/users.module.ts';
import type { Users } from '../people/users/users.service.ts';
import { createStatusModule } from '../service/operations/status.module.ts';
import { browserSessions, cookieNamesOf } from './browser-sessions.ts';
import { accountsMigrations } from './migrations.ts';
import { packageVersion } from './package-root.ts';
import { openDataFolder, openMailer, openOAuthProviders } from './platform.ts';
import { type BaseOptions, contractsOf, openBase, type Service, startService } from './service.ts';

export interface AccountsSurface extends Service {
  users: Users;
  tenants: Tenants;
  cookies: Pick<SessionCookies, 'access' | 'refresh'>;
}

export interface AccountsSurfaceOptions extends BaseOptions {
  /** Tests check each reply against its contract. */
  verifyReplies?: boolean;
  /** Tests hash passwords cheaply. */
  passwordOptions?: PasswordOptions;
}

const ABOUT = {
  title: 'Canonry accounts',
  description: `Who may use Canonry: accounts, tenants, roles and plans.

Sign in with \`POST /api/auth/login\` and send the access token as \`Authorization: Bearer <token>\`; browsers use \`POST /api/auth/web/login\`, which sets cookies. Other services check tokens with the public keys at \`/.well-known/jwks.json\`.
A refusal is \`{detail}\`, often with a \`code\` for programs and \`errors\` for each refused field.`,
};

/** Where browsers reach the surface, as far as the settings say. */
function publicUrlOf({ publicUrl, bindAddress }: Pick<Config, 'publicUrl' | 'bindAddress'>): string {
  if (publicUrl !== null) return publicUrl;
  const { host, port } = bindAddress;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

/** The accounts service: people and tenants of an installation, on a database of their own (spec 1 §1). */
export async function createAccountsSurface(options: AccountsSurfaceOptions): Promise<AccountsSurface> {
  const { config, log, clock, verifyReplies = false, passwordOptions } = options;
  const { accountsDatabaseUrl, databaseUrl } = config;
  const base = await openBase({
    log,
    clock,
    config: { ...config, databaseUrl: accountsDatabaseUrl ?? databaseUrl },
  });
  const { database, keyValue, rateLimit, box } = base;
  const dataFolder = await openDataFolder(config);
  const publicUrl = publicUrlOf(config);
  const cookieName = cookieNamesOf(config, publicUrl);
  const sessionCookies = createSessionCookies(cookieName);
  const tenants = createTenants({ database, clock });
  const people = createAccounts({
    database,
    clock,
    tenantId: LOCAL_TENANT,
    ...(passwordOptions && { passwordOptions }),
  });
  const mailer = await openMailer(config, clock);
  const accounts = createAccountsModule({
    database,
    clock,
    config,
    box,
    log,
    rateLimit,
    keyValue,
    people,
    tenants,
    mailer,
    sessionCookies,
    publicUrl,
  });
  const apiKeys = createApiKeysModule({
    database,
    users: people.users,
    clock,
    planOf: tenants.find,
    authenticate: accounts.identity.authenticator.authenticate,
  });
  const modules: Module[] = [
    accounts,
    createUsersSeam({ users: people.users, database, clock, admit: accounts.admitAgain }),
    createTenantsModule(tenants),
    createTenantDeletionModule({
      tenants,
      users: people.users,
      invites: accounts.invites,
      mailer,
      countAttempt: accounts.identity.attempts.count,
      clock,
      log: log.child('tenants'),
    }),
    apiKeys,
    createIntrospectionModule({ apiKeys: apiKeys.apiKeys, planOf: tenants.find }),
    createAccessChangesModule(createAccessChanges({ database, clock })),
    createOAuthModule({
      database,
      keyValue,
      clock,
      config,
      box,
      log: log.child('oauth'),
      providers: await openOAuthProviders(config),
      users: people.users,
      accounts: accounts.accounts,
      invites: accounts.invites,
      authenticate: accounts.identity.authenticator.authenticate,
      sessionCookies,
      cookieName,
      publicUrl,
    }),
    createStatusModule({
      metrics: base.metrics,
      contracts: () => contractsOf(modules),
      probes: {
        database: () => database.probe(),
        storage: () => dataFolder.probe(),
        cache: () => keyValue.ping(),
      },
      version: packageVersion(),
      about: ABOUT,
      accessCookie: sessionCookies.access,
    }),
  ];
  const service = await startService({
    base,
    migrations: accountsMigrations,
    modules,
    below: [{ name: 'mail', stop: () => mailer.close() }],
    http: {
      authenticate: apiKeys.authenticate,
      anonymous: null,
      cookies: browserSessions(config.corsOrigins, publicUrl, cookieName),
      verifyReplies,
    },
  });
  return { ...service, users: people.users, tenants, cookies: sessionCookies };
}
