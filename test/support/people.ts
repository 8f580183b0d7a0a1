import assert from 'node:assert/strict';
import { ROLES, type Role } from '../../src/access/plans.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { createAccounts } from '../../src/people/users/users.module.ts';
import { type CoreSetup, startCore, type TestCore, type TestReply } from './core.ts';

export const PASSWORD = 'a long pass phrase';

/** Signed in. */
export interface Person {
  id: string;
  email: string;
  token: string;
  refreshToken: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
  user: { user_id: string };
}

/** Replies about people; each test reads only its own part. */
export interface PeopleReply {
  detail: string;
  code: string;
  message: string;
  user_id: string;
  email: string;
  display_name: string;
  avatar_url: string | null;
  subscription_tier: string;
  role: Role;
  tenant_role: Role;
  is_active: boolean;
  total: number;
  users: { user_id: string; email: string }[];
  errors: { field: string; message: string }[];
  access_token: string;
  refresh_token: string;
  user: { user_id: string; email: string; role: Role };
  key_id: string;
  key: string;
}

export interface People extends TestCore {
  /** As a person, or anonymously. */
  ask(
    as: Person | string | null,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<TestReply<PeopleReply>>;
  /** Signed in, in this tenant unless another is given. */
  person(role: Role, tenantId?: string): Promise<Person>;
  login(email: string, password?: string): Promise<TestReply<PeopleReply>>;
  /** One person of each role; `first` is admin and owner. */
  cast: Record<Role | 'first', Person>;
}

/** With one person of each role. */
export async function startPeople(setup: CoreSetup = {}): Promise<People> {
  const core = await startCore(setup);
  let count = 0;

  const ask: People['ask'] = (as, method, path, body) =>
    core.call(method, path, { token: as === null || typeof as === 'string' ? as : as.token, body });
  const login: People['login'] = (email, password = PASSWORD) =>
    ask(null, 'POST', '/api/auth/login', { email, password });

  async function person(role: Role, tenantId = 'local'): Promise<Person> {
    count += 1;
    const email = `${role}${count}@${tenantId}.example`;
    const { users } = createAccounts({
      database: core.database,
      clock: systemClock,
      tenantId,
      passwordOptions: { cost: 4 },
    });
    await users.create({ email, password: PASSWORD, displayName: role }, () => ({ role, tenantRole: role }));
    return signedIn(await login(email), email);
  }

  const me = await ask(core.adminToken, 'GET', '/api/users/current');
  const first = {
    id: me.body.user_id,
    email: me.body.email,
    token: core.adminToken,
    refreshToken: '',
  };
  const cast = { first } as People['cast'];
  for (const role of ROLES) cast[role] = await person(role);
  return { ...core, ask, login, person, cast };
}

/** An API key that the owner makes. */
export async function ownersKey({ ask, cast }: People, ...scopes: string[]): Promise<string> {
  const { status, body, text } = await ask(cast.owner, 'POST', '/api/api-keys', { name: 'x', scopes });
  assert.equal(status, 201, text);
  return body.key;
}

export function signedIn(reply: TestReply<PeopleReply>, email: string): Person {
  assert.ok(reply.status < 300, reply.text);
  const { access_token, refresh_token, user }: Tokens = reply.body;
  return { id: user.user_id, email, token: access_token, refreshToken: refresh_token };
}

interface Picture {
  bytes: Uint8Array;
  name?: string;
  field?: string;
}

/** Uploads a person's own picture, as a form does. */
export async function uploadAvatar(
  { app }: Pick<TestCore, 'app'>,
  { token }: Person,
  { bytes, name = 'me.png', field = 'avatar' }: Picture,
) {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name);
  const body = new Response(form);
  return app.inject({
    method: 'POST',
    url: '/api/users/me/avatar',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': body.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
}
