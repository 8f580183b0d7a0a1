import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { accountsUserRoutes, createAdministration, createPreferences, peopleModule } from '../users/index.ts';
import { USERS_TAG } from '../users/users.contract.ts';
import { accountsModule } from './accounts.module.ts';

/** Profiles and account administration for the people of many tenants. No avatars: they are files, and the accounts service stores none. */
export const accountUsersModule = defineModule({
  name: 'users',
  tags: USERS_TAG,
  uses: { people: peopleModule, accounts: accountsModule },
  create({ database, clock }: Base, { people: { users }, accounts: { admitAgain: admit } }) {
    const administration = createAdministration({ users, removeFiles: async () => {}, admit });
    return {
      routes: accountsUserRoutes({
        users,
        administration,
        preferences: createPreferences({ database, clock }),
      }),
    };
  },
});
