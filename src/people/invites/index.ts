export { invitesModule } from './invites.module.ts';
export { createInvites, type Invite, type Invites } from './invites.service.ts';
