import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { Images } from '../../platform/images/images.ts';
import { createAdministration } from './administration.service.ts';
import { createAvatars } from './avatar.service.ts';
import { createPasswords, type PasswordOptions, type Passwords } from './passwords.ts';
import { createPreferences } from './preferences.service.ts';
import { USERS_TAG } from './users.contract.ts';
import { userRoutes } from './users.routes.ts';
import { createUsers, type Users } from './users.service.ts';
import { userMigrations } from './users.tables.ts';

export interface AccountsOptions {
  database: Database;
  clock: Clock;
  tenantId: string;
  passwordOptions?: PasswordOptions | undefined;
}

export interface Accounts {
  users: Users;
  passwords: Passwords;
}

/** Accounts and their passwords. */
export function createAccounts({ passwordOptions, ...options }: AccountsOptions): Accounts {
  const passwords = createPasswords(passwordOptions);
  return { users: createUsers({ ...options, passwords }), passwords };
}

export interface PeopleContext extends Pick<Base, 'database' | 'clock'> {
  passwordOptions?: PasswordOptions | undefined;
}

/** The accounts that other modules work with; it has no routes. */
export const peopleModule = defineModule({
  name: 'people',
  tables: userMigrations,
  create: ({ database, clock, passwordOptions }: PeopleContext) => ({
    service: createAccounts({ database, clock, tenantId: LOCAL_TENANT, passwordOptions }),
  }),
});

export interface UsersContext extends Base {
  images: Images;
  avatarFiles: FileStore;
}

/** Profiles, avatars and preferences, and account administration. */
export const usersModule = defineModule({
  name: 'users',
  tags: USERS_TAG,
  uses: { people: peopleModule },
  create({ database, clock, images, avatarFiles }: UsersContext, { people: { users } }) {
    const avatars = createAvatars({ users, images, files: avatarFiles });
    const administration = createAdministration({ users, removeFiles: avatars.remove });
    const preferences = createPreferences({ database, clock });
    return { routes: userRoutes({ users, administration, avatars, preferences }) };
  },
});
