import type { Role } from '../access/plans.ts';
import { systemClock as clock, dayOf } from '../kit/clock.ts';
import { createPasswordResetMail, createPasswordResets } from '../people/auth/index.ts';
import { createInvites } from '../people/invites/index.ts';
import { openMailer } from '../surfaces/platform.ts';
import { type CliContext, writeJson, writeLine } from './context.ts';
import { changePeople } from './people.ts';
import { existingUser } from './user.ts';

export async function inviteUser(
  context: CliContext,
  email: string,
  { json, role = 'viewer', tenant }: { json?: boolean; role?: Role; tenant?: string },
): Promise<void> {
  const { invite, token, route } = await changePeople(context, async (people) => {
    const { database, users, config, invitationRoute } = people;
    const invites = createInvites({ database, users, clock, registration: config.registration });
    const tenantId = await people.tenantOf(tenant);
    const made = await invites.create({ tenantId, email, role, createdBy: null });
    return { ...made, route: invitationRoute };
  });
  const { email: address, expires_at } = invite;
  if (json) return writeJson(context, { invite: { email: address, role, expires_at }, token });
  writeLine(context, `Invited ${address} as ${role}, until ${dayOf(expires_at)}.`);
  writeLine(context, `Token (shown only now): ${token}`);
  writeLine(context, `Use it with POST ${route}: send token, password and display_name.`);
}

export async function resetLink(
  context: CliContext,
  email: string,
  { json, mail = false }: { json?: boolean; mail?: boolean },
): Promise<void> {
  const reset = await changePeople(context, async ({ database, users, config }) => {
    const user = await existingUser(users, email);
    const resets = createPasswordResets({ database, users, clock });
    if (!mail) return resets.make(user);
    const mailer = await openMailer(config, clock);
    try {
      await createPasswordResetMail({ resets, mailer })(user);
      return null;
    } finally {
      await mailer.close();
    }
  });
  if (reset === null) {
    if (json) return writeJson(context, { mailed: true });
    return writeLine(context, `Sent a token for a new password to ${email}.`);
  }
  if (json) return writeJson(context, { token: reset.token, expires_at: reset.expiresAt });
  writeLine(context, `Token (shown only now, good once, until ${reset.expiresAt}): ${reset.token}`);
  writeLine(context, 'Use it with POST /api/auth/reset-password: send token and new_password.');
}
