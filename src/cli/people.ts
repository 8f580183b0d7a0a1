import { LOCAL_TENANT } from '../access/local-tenant.ts';
import { systemClock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import { createSeatCheck } from '../people/accounts/index.ts';
import { createTenants } from '../people/tenants/index.ts';
import { createAccounts, type User, type Users } from '../people/users/index.ts';
import type { Database } from '../platform/database/database.ts';
import { type CliContext, CommandError } from './context.ts';
import { changeMigratedDatabase, readDatabase, type Schema } from './database.ts';
import { accountsSettings } from './project.ts';

/** The accounts of a self-hosted core, or of the accounts service with its many tenants. */
export interface People {
  database: Database;
  config: Config;
  users: Users;
  /** Resolves a tenant's name to its id; without a name, to the only tenant of a self-hosted core. */
  tenantOf(name: string | undefined): Promise<string>;
  /** Throws if the tenant has no free seat. */
  admit(tenantId: string): Promise<void>;
  list(tenant: string | undefined): Promise<{ user: User; tenant: string | null }[]>;
  /** The service's route that accepts an invitation. */
  invitationRoute: string;
}

type Work<Result> = (people: People) => Promise<Result>;

/** A named accounts database, or a part of the cloud, means the accounts service's people. */
export function placeOf(context: CliContext): { config: Config; schema: Schema } {
  const config = accountsSettings(context);
  const isOfAccounts = config.deployment === 'cloud' || config.accountsDatabaseUrl !== null;
  return { config, schema: isOfAccounts ? 'accounts' : 'core' };
}

export function readPeople<Result>(context: CliContext, work: Work<Result>): Promise<Result> {
  const { config, schema } = placeOf(context);
  return readDatabase(config, (database) => work(peopleIn(database, config, schema)), schema);
}

export function changePeople<Result>(context: CliContext, work: Work<Result>): Promise<Result> {
  const { config, schema } = placeOf(context);
  return changeMigratedDatabase(config, (database) => work(peopleIn(database, config, schema)), schema);
}

function peopleIn(database: Database, config: Config, schema: Schema): People {
  const options = { database, clock: systemClock };
  const { users } = createAccounts({ ...options, tenantId: LOCAL_TENANT });
  return schema === 'core'
    ? { database, config, users, ...onlyTenant(users) }
    : { database, config, users, ...manyTenants(users, createTenants(options)) };
}

type Placed = Omit<People, 'database' | 'config' | 'users'>;

function onlyTenant(users: Users): Placed {
  const tenantOf: People['tenantOf'] = async (name) => {
    if (name === undefined) return LOCAL_TENANT;
    throw new CommandError(
      '--tenant is for the accounts service: name its database by ACCOUNTS_DATABASE_URL',
    );
  };
  return {
    tenantOf,
    admit: async () => {},
    list: async (tenant) =>
      (await users.list(await tenantOf(tenant))).map((user) => ({ user, tenant: null })),
    invitationRoute: '/api/auth/accept-invite',
  };
}

function manyTenants(users: Users, tenants: ReturnType<typeof createTenants>): Placed {
  return {
    async tenantOf(name) {
      if (name !== undefined) return (await tenants.named(name)).tenantId;
      throw new CommandError('Say in which tenant: --tenant SLUG (see canonry tenant list)');
    },
    admit: createSeatCheck({ users, tenants }, 'Give it more by canonry tenant plan --seats'),
    async list(name) {
      const wanted = name === undefined ? await tenants.list() : [await tenants.named(name)];
      const found = wanted.map(async ({ tenantId, slug }) =>
        (await users.list(tenantId)).map((user) => ({ user, tenant: slug })),
      );
      return (await Promise.all(found)).flat();
    },
    invitationRoute: '/api/auth/register-with-invite',
  };
}
