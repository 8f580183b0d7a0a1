import { sessionMigrations } from '../modules/auth/sessions.tables.ts';
import { recordMigrations } from '../modules/records/records.tables.ts';
import { activationMigrations } from '../modules/templates/activation.tables.ts';
import { userMigrations } from '../modules/users/users.tables.ts';
import type { Migration } from '../platform/database/migration.ts';

/** Every step of the core's schema, in the order of its modules. */
export const coreMigrations: readonly Migration[] = [
  ...recordMigrations,
  ...userMigrations,
  ...sessionMigrations,
  ...activationMigrations,
];
