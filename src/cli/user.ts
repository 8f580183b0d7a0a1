import { isRole, ROLES, type Role } from '../content/plans.ts';
import { systemClock } from '../kit/clock.ts';
import { randomToken } from '../kit/crypto.ts';
import { LOCAL_TENANT } from '../modules/users/tenant.ts';
import type { User } from '../modules/users/user.ts';
import { createUsersModule } from '../modules/users/users.module.ts';
import type { Users } from '../modules/users/users.service.ts';
import type { Database } from '../platform/database/database.ts';
import { type CliContext, CommandError, say, sayJson } from './context.ts';
import { changeMigratedDatabase, readDatabase } from './database.ts';
import { settings } from './project.ts';
import { columns, inked } from './terminal.ts';

interface Output {
  json?: boolean;
}

interface PasswordSource {
  passwordStdin?: boolean;
}

const usersOf = (database: Database): Users =>
  createUsersModule({ database, clock: systemClock, tenantId: LOCAL_TENANT }).users;

const change = <Result>(context: CliContext, work: (users: Users) => Promise<Result>): Promise<Result> =>
  changeMigratedDatabase(settings(context), (database) => work(usersOf(database)));

const shown = ({ userId, email, displayName, role, isActive, createdAt }: User) => ({
  user_id: userId,
  email,
  display_name: displayName,
  role,
  is_active: isActive,
  created_at: createdAt,
});

export async function listUsers(context: CliContext, { json }: Output): Promise<void> {
  const users = await readDatabase(settings(context), (database) => usersOf(database).list());
  if (json) return sayJson(context, { users: users.map(shown) });
  const rows = users.map((user) => [
    user.email,
    user.role,
    user.isActive ? 'active' : 'deactivated',
    user.createdAt.slice(0, 10),
    user.displayName,
  ]);
  const [head, ...lines] = columns([['EMAIL', 'ROLE', 'STATE', 'SINCE', 'NAME'], ...rows]);
  say(context, inked(context, 'bold', head ?? ''));
  for (const line of lines) say(context, line);
}

export async function createUser(
  context: CliContext,
  email: string,
  options: Output & PasswordSource & { role?: Role; name?: string },
): Promise<void> {
  const { password, isMade } = await choosePassword(context, options);
  const { role = 'viewer', name: displayName } = options;
  const user = await change(context, (users) =>
    users.create({ email, password, displayName }, () => ({ role, tenantRole: role })),
  );
  if (options.json) return sayJson(context, { user: shown(user), ...(isMade && { password }) });
  say(context, `Created ${user.email} as ${user.role}.`);
  if (isMade) tellPassword(context, password);
}

export async function setRole(
  context: CliContext,
  email: string,
  role: string,
  options: Output,
): Promise<void> {
  if (!isRole(role)) throw new CommandError(`there is no role '${role}': use one of ${ROLES.join(', ')}`);
  const user = await change(context, async (users) =>
    users.setRole((await existing(users, email)).userId, role),
  );
  tell(context, user, `${user.email} is now ${user.role}.`, options);
}

export async function deactivateUser(context: CliContext, email: string, options: Output): Promise<void> {
  const user = await change(context, async (users) =>
    users.deactivate((await existing(users, email)).userId),
  );
  tell(context, user, `${user.email} can sign in no more; nothing of theirs was deleted.`, options);
}

export async function resetPassword(
  context: CliContext,
  email: string,
  options: Output & PasswordSource,
): Promise<void> {
  const { password, isMade } = await choosePassword(context, options);
  const user = await change(context, async (users) => {
    const found = await existing(users, email);
    await users.setPassword(found.userId, password);
    return found;
  });
  if (options.json) return sayJson(context, { user: shown(user), ...(isMade && { password }) });
  say(context, `Changed the password of ${user.email}; open sessions have ended.`);
  if (isMade) tellPassword(context, password);
}

function tell(context: CliContext, user: User, line: string, { json }: Output): void {
  if (json) sayJson(context, { user: shown(user) });
  else say(context, line);
}

const tellPassword = (context: CliContext, password: string): void =>
  say(context, `Password (shown only now): ${password}`);

async function existing(users: Users, email: string): Promise<User> {
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
