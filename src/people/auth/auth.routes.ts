import { callerOf } from '../../kit/principal.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { authContracts } from './auth.contract.ts';
import type { Auth } from './auth.service.ts';
import type { Identity } from './identity.ts';
import { changePassword } from './password.contract.ts';
import type { PasswordChanges } from './password.service.ts';
import type { SessionCookies } from './session-cookies.ts';
import { endSession, renewSession } from './session-requests.ts';
import { webRegister } from './web.contract.ts';
import { webRoutes } from './web.routes.ts';

export interface AuthRoutesOptions {
  auth: Auth;
  passwords: PasswordChanges;
  identity: Identity;
  sessionCookies: SessionCookies;
}

export const authRoutes = ({ auth, passwords, identity, sessionCookies }: AuthRoutesOptions): Route[] => [
  route(authContracts.jwks, () => ({ keys: [] })),
  route(authContracts.register, ({ body }) => auth.register(body)),
  route(authContracts.login, ({ body, address }) => auth.login(body, address)),
  route(authContracts.refresh, (request) => renewSession(request, sessionCookies, auth.refresh)),
  route(authContracts.logout, (request) => endSession(request, sessionCookies, identity.signOut)),
  route(webRegister, async ({ body }) => {
    const tokens = await auth.register(body);
    return new Reply(await auth.webSession(tokens.user.user_id), { cookies: sessionCookies.of(tokens) });
  }),
  ...webRoutes({
    async signIn(credentials, address) {
      const tokens = await auth.login(credentials, address);
      return { userId: tokens.user.user_id, tokens };
    },
    sessionOf: auth.webSession,
    identity,
    sessionCookies,
  }),
  route(authContracts.me, (request) => auth.currentUser(callerOf(request).userId)),
  route(changePassword, async (request) => {
    await passwords.change(callerOf(request), request.params.id, request.body);
    return { message: 'The password was changed' };
  }),
];
