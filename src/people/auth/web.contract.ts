import { Type } from 'typebox';
import { ROLES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';
import { userExample } from '../users/users.contract.ts';
import { authContracts, Email, loginExample, Password } from './auth.contract.ts';

export const WEB_TAG = 'Web sessions';
export const WEB_TAGS = { [WEB_TAG]: 'Signing in a browser by cookies that no script sees.' };
const Role = Type.Enum([...ROLES]);

export const WebSession = named('WebSession', {
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
export const webSessionExample = {
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
  tag: WEB_TAG,
  summary: 'Sign in a browser',
  description:
    'Sets two cookies, which no script sees; browsers send them to every route that takes a token. When the access token runs out, `POST /api/auth/refresh` without a body renews both. Writes that pages of other sites send are refused.',
  body: Type.Object({ email: Email, password: Password }),
  reply: WebSession,
  errors: [401, 403, 503],
  limit: 'login',
  example: { body: loginExample, reply: webSessionExample },
});

export const webRegister = contract('POST /api/auth/web/register', {
  name: 'webRegister',
  auth: 'none',
  tag: WEB_TAG,
  summary: 'Register in a browser, and sign in',
  description: 'As `POST /api/auth/register`, with cookies as by `POST /api/auth/web/login`.',
  body: authContracts.register.body,
  reply: WebSession,
  status: 201,
  errors: [403, 409, 503],
  example: { body: authContracts.register.example.body, reply: webSessionExample },
});

export const webSession = contract('GET /api/auth/web/session', {
  name: 'webSession',
  auth: 'cookie',
  tag: WEB_TAG,
  summary: 'Who is signed in, by the cookie',
  reply: WebSession,
  example: { reply: webSessionExample },
});

export const webLogout = contract('POST /api/auth/web/logout', {
  name: 'webLogout',
  auth: 'cookie',
  tag: WEB_TAG,
  summary: 'Sign out a browser',
  description: 'Ends the sessions of both cookies, also when the access token has run out, and clears them.',
  reply: Type.Object({ message: Type.String() }),
  errors: [403],
  example: { reply: { message: 'Signed out' } },
});
