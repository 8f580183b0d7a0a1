import type { Module } from '../../frame/module.ts';
import type { Auth } from '../auth/auth.service.ts';
import { inviteRoutes } from './invites.routes.ts';
import { createInvites, type InvitesOptions } from './invites.service.ts';

/** Invitations: made by admins, taken by whoever holds the token. */
export function createInvitesModule({ auth, ...options }: InvitesOptions & { auth: Auth }): Module {
  return { name: 'invites', routes: inviteRoutes(createInvites(options), auth) };
}
