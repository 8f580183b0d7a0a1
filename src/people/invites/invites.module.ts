import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { authModule } from '../auth/index.ts';
import { peopleModule } from '../users/index.ts';
import { inviteRoutes } from './invites.routes.ts';
import { createInvites } from './invites.service.ts';
import { inviteMigrations } from './invites.tables.ts';

/** Invitations: created by admins, accepted by anybody who has the token. */
export const invitesModule = defineModule({
  name: 'invites',
  tags: {
    Invitations: 'How somebody gets an account who may not register: an invitation, good once.',
  },
  uses: { people: peopleModule, auth: authModule },
  tables: inviteMigrations,
  create({ database, clock, config: { registration } }: Base, { people: { users }, auth: { auth } }) {
    return { routes: inviteRoutes(createInvites({ database, users, clock, registration }), auth) };
  },
});
