import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Migration } from '../../platform/database/migration.ts';
import type { Module } from '../module.ts';
import { createPasswords, type PasswordOptions, type Passwords } from './passwords.ts';
import { createUsers, type Users } from './users.service.ts';
import { userMigrations } from './users.tables.ts';

export interface UsersModuleOptions {
  database: Database;
  clock: Clock;
  /** The tenant that new accounts belong to. */
  tenantId: string;
  passwordOptions?: PasswordOptions;
}

export interface UsersModule extends Module {
  migrations: readonly Migration[];
  users: Users;
  passwords: Passwords;
}

/** Accounts: who there is, and their passwords. */
export function createUsersModule({ passwordOptions, ...options }: UsersModuleOptions): UsersModule {
  const passwords = createPasswords(passwordOptions);
  const users = createUsers({ ...options, passwords });
  return { name: 'users', routes: [], migrations: userMigrations, users, passwords };
}
