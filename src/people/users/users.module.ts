import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { Images } from '../../platform/images/images.ts';
import { createAdministration } from './administration.service.ts';
import { createAvatars } from './avatar.service.ts';
import { createPasswords, type PasswordOptions, type Passwords } from './passwords.ts';
import { createPreferences } from './preferences.service.ts';
import { seamRoutes } from './seam.routes.ts';
import { userRoutes } from './users.routes.ts';
import { createUsers, type Users } from './users.service.ts';

export interface AccountsOptions {
  database: Database;
  clock: Clock;
  /** The tenant that new accounts belong to. */
  tenantId: string;
  passwordOptions?: PasswordOptions;
}

export interface Accounts {
  users: Users;
  passwords: Passwords;
}

/** Accounts: who there is, and their passwords. */
export function createAccounts({ passwordOptions, ...options }: AccountsOptions): Accounts {
  const passwords = createPasswords(passwordOptions);
  return { users: createUsers({ ...options, passwords }), passwords };
}

export interface UsersModuleOptions {
  users: Users;
  database: Database;
  clock: Clock;
  images: Images;
  avatarFiles: FileStore;
}

/** Profiles, pictures and preferences, and the administration of accounts. */
export function createUsersModule({
  users,
  database,
  clock,
  images,
  avatarFiles,
}: UsersModuleOptions): Module {
  const avatars = createAvatars({ users, images, files: avatarFiles });
  const administration = createAdministration({ users, removeFiles: avatars.remove });
  const preferences = createPreferences({ database, clock });
  return { name: 'users', routes: userRoutes({ users, administration, avatars, preferences }) };
}

export interface UsersSeamOptions {
  users: Users;
  database: Database;
  clock: Clock;
  /** Throws when the tenant has no seat for one more. */
  admit: (tenantId: string) => Promise<void>;
}

/** The same for the people of many tenants, whom the edge reaches here. Pictures are files, which the accounts service keeps none of. */
export function createUsersSeam({ users, database, clock, admit }: UsersSeamOptions): Module {
  const administration = createAdministration({ users, removeFiles: async () => {}, admit });
  const preferences = createPreferences({ database, clock });
  return { name: 'users', routes: seamRoutes({ users, administration, preferences }) };
}
