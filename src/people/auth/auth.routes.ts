import { bearerOf } from '../../kit/http/bearer.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import { authContracts } from './auth.contract.ts';
import type { Auth } from './auth.service.ts';
import { changePassword } from './password.contract.ts';
import type { PasswordChanges } from './password.service.ts';

export const authRoutes = (auth: Auth, passwords: PasswordChanges): Route[] => [
  route(authContracts.jwks, () => ({ keys: [] })),
  route(authContracts.register, ({ body }) => auth.register(body)),
  route(authContracts.login, ({ body, address }) => auth.login(body, address)),
  route(authContracts.refresh, ({ body }) => auth.refresh(body.refresh_token)),
  route(authContracts.logout, async ({ headers, body }) => {
    await auth.logout({ access: bearerOf(headers), refresh: body?.refresh_token });
    return { message: 'Signed out' };
  }),
  route(authContracts.me, (request) => auth.currentUser(callerOf(request).userId)),
  route(changePassword, async (request) => {
    await passwords.change(callerOf(request), request.params.id, request.body);
    return { message: 'The password was changed' };
  }),
];
