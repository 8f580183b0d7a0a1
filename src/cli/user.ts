import { isRole, ROLES, type Role } from '../access/plans.ts';
import { dayOf } from '../kit/clock.ts';
import { randomToken } from '../kit/crypto.ts';
import type { User, Users } from '../people/users/index.ts';
import { type CliContext, CommandError, writeJson, writeLine } from './context.ts';
import { changePeople, readPeople } from './people.ts';
import { columns, styled } from './terminal.ts';

interface Output {
  json?: boolean;
}

interface Place {
  tenant?: string;
}

interface PasswordSource {
  passwordStdin?: boolean;
}

const shown = ({ userId, email, displayName, role, isActive, createdAt }: User) => ({
  user_id: userId,
  email,
  display_name: displayName,
  role,
  is_active: isActive,
  created_at: createdAt,
});

export async function listUsers(context: CliContext, { json, tenant }: Output & Place): Promise<void> {
  const found = await readPeople(context, (people) => people.list(tenant));
  if (json)
    return writeJson(context, {
      users: found.map(({ user, tenant: slug }) => ({
        ...shown(user),
        ...(slug !== null && { tenant: slug }),
      })),
    });
  const rows = found.map(({ user, tenant: slug }) => [
    user.email,
    user.role,
    user.isActive ? 'active' : 'deactivated',
    dayOf(user.createdAt),
    ...(slug === null ? [] : [slug]),
    user.displayName,
  ]);
  const isOfMany = found.some(({ tenant: slug }) => slug !== null);
  const titles = ['EMAIL', 'ROLE', 'STATE', 'SINCE', ...(isOfMany ? ['TENANT'] : []), 'NAME'];
  const [head, ...lines] = columns([titles, ...rows]);
  writeLine(context, styled(context, 'bold', head ?? ''));
  for (const line of lines) writeLine(context, line);
}

export async function createUser(
  context: CliContext,
  email: string,
  options: Output & Place & PasswordSource & { role?: Role; name?: string },
): Promise<void> {
  const { password, isMade } = await choosePassword(context, options);
  const { role = 'viewer', name: displayName } = options;
  const user = await changePeople(context, async ({ users, tenantOf, admit }) => {
    const tenantId = await tenantOf(options.tenant);
    return users.create({ email, password, displayName, tenantId }, async () => {
      await admit(tenantId);
      return { role, tenantRole: role };
    });
  });
  if (options.json) return writeJson(context, { user: shown(user), ...(isMade && { password }) });
  writeLine(context, `Created ${user.email} as ${user.role}.`);
  if (isMade) printPassword(context, password);
}

export async function setRole(
  context: CliContext,
  email: string,
  role: string,
  options: Output,
): Promise<void> {
  if (!isRole(role)) throw new CommandError(`there is no role '${role}': use one of ${ROLES.join(', ')}`);
  const user = await changePeople(context, async ({ users }) =>
    users.update((await existingUser(users, email)).userId, { role }),
  );
  report(context, user, `${user.email} is now ${user.role}.`, options);
}

export async function deactivateUser(context: CliContext, email: string, options: Output): Promise<void> {
  const user = await changePeople(context, async ({ users }) =>
    users.update((await existingUser(users, email)).userId, { isActive: false }),
  );
  report(context, user, `${user.email} can no longer sign in; nothing of theirs was deleted.`, options);
}

export async function resetPassword(
  context: CliContext,
  email: string,
  options: Output & PasswordSource,
): Promise<void> {
  const { password, isMade } = await choosePassword(context, options);
  const user = await changePeople(context, async ({ users }) => {
    const found = await existingUser(users, email);
    await users.setPassword(found.userId, password);
    return found;
  });
  if (options.json) return writeJson(context, { user: shown(user), ...(isMade && { password }) });
  writeLine(context, `Changed the password of ${user.email}; open sessions have ended.`);
  if (isMade) printPassword(context, password);
}

function report(context: CliContext, user: User, line: string, { json }: Output): void {
  if (json) writeJson(context, { user: shown(user) });
  else writeLine(context, line);
}

const printPassword = (context: CliContext, password: string): void =>
  writeLine(context, `Password (shown only now): ${password}`);

export async function existingUser(users: Users, email: string): Promise<User> {
  const found = await users.findByEmail(email);
  if (found === null) throw new CommandError(`there is no account ${email}: see canonry user list`);
  return found.user;
}

const RANDOM_BYTES = 15;

async function choosePassword(
  context: CliContext,
  { passwordStdin }: PasswordSource,
): Promise<{ password: string; isMade: boolean }> {
  if (!passwordStdin) return { password: randomToken(RANDOM_BYTES), isMade: true };
  const chunks: Uint8Array[] = [];
  for await (const chunk of context.input) chunks.push(Buffer.from(chunk));
  const [password = ''] = Buffer.concat(chunks).toString('utf8').split(/\r?\n/);
  return { password, isMade: false };
}
