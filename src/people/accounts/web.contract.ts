import { Type } from 'typebox';
import { ROLES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';
import { Email, loginExample, Password } from '../auth/auth.contract.ts';
import { userExample } from '../users/users.contract.ts';

const TAG = 'Web sessions';
const Role = Type.Enum([...ROLES]);

const WebSession = named('WebSession', {
  user_id: Type.String(),
  email: Type.String(),
  display_name: Type.String(),
  tenant_id: Type.String(),
  tenant_name: Type.String(),
  role: Role,
  tenant_role: Role,
  plan: Type.String(),
  email_verified: Type.Boolean(),
  user: Type.Object({ user_id: Type.String(), email: Type.String() }),
});
const { user_id, email } = userExample;
const sessionExample = {
  user_id,
  email,
  display_name: 'Mara',
  tenant_id: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
  tenant_name: 'Studio Mara',
  role: 'admin',
  tenant_role: 'owner',
  plan: 'free',
  email_verified: true,
  user: { user_id, email },
};

export const webLogin = contract('POST /api/auth/web/login', {
  name: 'webLogin',
  auth: 'none',
  tag: TAG,
  summary: 'Sign in a browser',
  description:
    'Sets two cookies, which no script sees; browsers send them to every route that takes a token. When the access token runs out, `POST /api/auth/refresh` without a body renews both. Writes that pages of other sites send are refused.',
  body: Type.Object({ email: Email, password: Password }),
  reply: WebSession,
  errors: [401, 403, 503],
  limit: 'login',
  example: { body: loginExample, reply: sessionExample },
});

export const webSession = contract('GET /api/auth/web/session', {
  name: 'webSession',
  auth: 'cookie',
  tag: TAG,
  summary: 'Who is signed in, by the cookie',
  reply: WebSession,
  example: { reply: sessionExample },
});

export const webLogout = contract('POST /api/auth/web/logout', {
  name: 'webLogout',
  auth: 'cookie',
  tag: TAG,
  summary: 'Sign out a browser',
  description: 'Ends the sessions of both cookies, also when the access token has run out, and clears them.',
  reply: Type.Object({ message: Type.String() }),
  errors: [403],
  example: { reply: { message: 'Signed out' } },
});
