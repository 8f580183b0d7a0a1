import { tablesOf } from '../frame/assemble.ts';
import { accessChangesModule } from '../people/access-changes/access-changes.module.ts';
import { accountUsersModule } from '../people/accounts/account-users.module.ts';
import { accountsModule } from '../people/accounts/accounts.module.ts';
import { apiKeysModule, introspectionModule } from '../people/api-keys/api-keys.module.ts';
import { authModule } from '../people/auth/auth.module.ts';
import { invitesModule } from '../people/invites/invites.module.ts';
import { oauthModule } from '../people/oauth/oauth.module.ts';
import { tenantDeletionModule } from '../people/tenant-deletion/deletion.module.ts';
import { tenantsModule } from '../people/tenants/tenants.module.ts';
import { peopleModule } from '../people/users/users.module.ts';
import type { Migration } from '../platform/database/migration.ts';

/** What the accounts service serves; the second list takes the tokens that the first makes. */
export const accountsModules = [
  peopleModule,
  tenantsModule,
  accountsModule,
  accountUsersModule,
  tenantDeletionModule,
  accessChangesModule,
  oauthModule,
] as const;
export const accountKeyModules = [apiKeysModule, introspectionModule] as const;

/** The schema of the accounts service's database. Sessions and invitations have the tables of a self-hosted core. */
export const accountsMigrations: readonly Migration[] = [
  ...tablesOf(accountsModules),
  ...tablesOf(accountKeyModules),
  ...tablesOf([authModule, invitesModule]),
];
