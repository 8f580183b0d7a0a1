import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { createAdministration, createPreferences, peopleModule, seamRoutes } from '../users/index.ts';
import { USERS_TAG } from '../users/users.contract.ts';
import { accountsModule } from './accounts.module.ts';

/**
 * Profiles and the administration of accounts for the people of many tenants, whom the edge reaches here. Pictures are
 * files, which the accounts service keeps none of.
 */
export const accountUsersModule = defineModule({
  name: 'users',
  tags: USERS_TAG,
  uses: { people: peopleModule, accounts: accountsModule },
  create({ database, clock }: Base, { people: { users }, accounts: { admitAgain: admit } }) {
    const administration = createAdministration({ users, removeFiles: async () => {}, admit });
    return {
      routes: seamRoutes({ users, administration, preferences: createPreferences({ database, clock }) }),
    };
  },
});
