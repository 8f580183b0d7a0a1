import { tablesOf } from '../frame/assemble.ts';
import { accessChangesModule } from '../people/access-changes/index.ts';
import { accountsModule, accountUsersModule } from '../people/accounts/index.ts';
import { apiKeysModule, introspectionModule } from '../people/api-keys/index.ts';
import { authModule } from '../people/auth/index.ts';
import { invitesModule } from '../people/invites/index.ts';
import { oauthModule } from '../people/oauth/index.ts';
import { tenantsModule } from '../people/tenants/index.ts';
import { peopleModule } from '../people/users/index.ts';
import type { Migration } from '../platform/database/migration.ts';
import { moneyModules } from './money.ts';

/** The modules of the accounts service; those of the second list accept the tokens that the first ones issue. */
export const accountsModules = [
  peopleModule,
  tenantsModule,
  accountsModule,
  accountUsersModule,
  accessChangesModule,
  oauthModule,
] as const;
export const accountKeyModules = [apiKeysModule, introspectionModule] as const;

/** The schema of the accounts service's database. Sessions and invitations use the same tables as in a self-hosted core. */
export const accountsMigrations: readonly Migration[] = [
  ...tablesOf([...accountsModules, ...accountKeyModules, authModule, invitesModule, ...moneyModules]),
];
