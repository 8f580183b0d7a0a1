import { assemble, type MountedModule } from '../frame/assemble.ts';
import { twinRoute } from '../kit/service-twin.ts';
import { accountsModule } from '../people/accounts/index.ts';
import { apiKeysModule } from '../people/api-keys/index.ts';
import { createSessionCookies, type SessionCookies } from '../people/auth/index.ts';
import { tenantAllowances } from '../people/credits/index.ts';
import { tenantDeletionModule } from '../people/tenant-deletion/index.ts';
import { type Tenants, tenantsModule } from '../people/tenants/index.ts';
import { type PasswordOptions, peopleModule, type Users } from '../people/users/index.ts';
import { createStatusModule } from '../service/operations/index.ts';
import { accountKeyModules, accountsMigrations, accountsModules } from './accounts-modules.ts';
import { browserSessions, cookieNamesOf } from './browser-sessions.ts';
import { type Money, openMoney } from './money.ts';
import { packageVersion } from './package-root.ts';
import { openDataFolder, openMailer, openOAuthProviders } from './platform.ts';
import { publicUrlOf } from './public-url.ts';
import { type BaseOptions, contractsOf, openBase, type Service, startService } from './service.ts';

export interface AccountsSurface extends Service {
  users: Users;
  tenants: Tenants;
  cookies: Pick<SessionCookies, 'access' | 'refresh'>;
}

export interface AccountsSurfaceOptions extends BaseOptions {
  /** Tests check each reply against its contract. */
  verifyReplies?: boolean;
  passwordOptions?: PasswordOptions;
}

const ABOUT = {
  title: 'Canonry accounts',
  description: `Who may use Canonry: accounts, tenants, roles and plans.

Sign in with \`POST /api/auth/login\` and send the access token as \`Authorization: Bearer <token>\`; browsers use \`POST /api/auth/web/login\`, which sets cookies. Other services check tokens with the public keys at \`/.well-known/jwks.json\`.
A refusal is \`{detail}\`, often with a \`code\` for programs and \`errors\` for each refused field.`,
};

/** Cores serve these routes, and ask here. */
const forCores = ({ modules, internal }: Money): MountedModule[] => [
  ...modules.map((module) => ({ ...module, routes: module.routes.map(twinRoute) })),
  ...internal,
];

/** The accounts service: people and tenants of an installation, in a database of their own (spec 1 §1). */
export async function createAccountsSurface(options: AccountsSurfaceOptions): Promise<AccountsSurface> {
  const { config, log, clock, verifyReplies = false, passwordOptions } = options;
  const { accountsDatabaseUrl, databaseUrl } = config;
  const base = await openBase({
    log,
    clock,
    config: { ...config, databaseUrl: accountsDatabaseUrl ?? databaseUrl },
  });
  const { database, keyValue } = base;
  const dataFolder = await openDataFolder(config);
  const publicUrl = publicUrlOf(config);
  const cookieName = cookieNamesOf(config, publicUrl);
  const sessionCookies = createSessionCookies(cookieName);
  const mailer = await openMailer(config, clock);
  const context = {
    ...base,
    passwordOptions,
    mailer,
    sessionCookies,
    cookieName,
    publicUrl,
    providers: await openOAuthProviders(config),
  };
  const people = assemble(context, accountsModules);
  const tenants = people.service(tenantsModule);
  const { users } = people.service(peopleModule);
  const { identity } = people.service(accountsModule);
  const money = await openMoney(base, {
    mailer,
    publicUrl,
    users,
    identity,
    planGrants: tenants.grants,
    readAllowances: tenantAllowances(base),
    tenantOf: tenants.find,
    isOperator: tenants.isOperator,
    localPlan: null,
  });
  const { endTenant, stopPayments } = money;
  const deletion = assemble({ ...context, endTenant, stopPayments }, [tenantDeletionModule], people);
  const keys = assemble(
    {
      ...context,
      planOfTenant: tenants.find,
      authenticateTokens: identity.authenticator.authenticate,
    },
    accountKeyModules,
    people,
  );
  const modules: MountedModule[] = [
    ...people.modules,
    ...deletion.modules,
    ...keys.modules,
    ...forCores(money),
    createStatusModule({
      metrics: base.metrics,
      contracts: () => contractsOf(modules),
      tags: { ...people.tags, ...keys.tags, ...money.tags },
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
      authenticate: keys.service(apiKeysModule).authenticate,
      anonymous: null,
      cookies: browserSessions(config.corsOrigins, publicUrl, cookieName),
      verifyReplies,
    },
  });
  return { ...service, users, tenants, cookies: sessionCookies };
}
