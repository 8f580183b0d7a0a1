import { callerOf } from '../../kit/principal.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { endSession, type Identity, renewSession, type SessionCookies, webRoutes } from '../auth/index.ts';
import type { SigningKeys } from '../signing-keys/index.ts';
import {
  getAccount,
  getAuthJwks,
  getJwks,
  loginAccount,
  logoutAccount,
  refreshAccount,
  registerAccount,
} from './accounts.contract.ts';
import type { AccountsService } from './accounts.service.ts';
import type { Registrations } from './registration.service.ts';
import { webRegisterAccount } from './web.contract.ts';

export interface AccountRoutesOptions {
  accounts: AccountsService;
  registrations: Registrations;
  identity: Identity;
  signingKeys: SigningKeys;
  sessionCookies: SessionCookies;
}

/** The same reply for every address, so that it does not reveal who has an account. */
const mailSent = ({ email }: { email: string }): Reply =>
  new Reply(
    {
      message: 'A mail is on its way to this address: open its link, then sign in',
      email,
      email_verified: false,
    },
    { status: 202 },
  );

const KEEP_SHORTLY = { 'cache-control': 'public, max-age=60' };

export const accountRoutes = ({
  accounts,
  registrations,
  identity,
  signingKeys,
  sessionCookies,
}: AccountRoutesOptions): Route[] => [
  ...[getJwks, getAuthJwks].map((contract) =>
    route(contract, async () => new Reply({ keys: await signingKeys.jwks() }, { headers: KEEP_SHORTLY })),
  ),
  route(registerAccount, async ({ body }) => {
    const made = await registrations.register(body);
    return 'access_token' in made ? made : mailSent(made);
  }),
  route(webRegisterAccount, async ({ body }) => {
    const made = await registrations.register(body);
    if (!('access_token' in made)) return mailSent(made);
    return new Reply(await accounts.webSession(made.user_id), { cookies: sessionCookies.of(made) });
  }),
  route(loginAccount, async ({ body, address }) => accounts.signIn(await accounts.userOf(body, address))),
  route(refreshAccount, (request) => renewSession(request, sessionCookies, accounts.refresh)),
  route(logoutAccount, (request) => endSession(request, sessionCookies, identity.signOut)),
  ...webRoutes({
    async signIn(credentials, address) {
      const user = await accounts.userOf(credentials, address);
      return { userId: user.userId, tokens: await accounts.signIn(user) };
    },
    sessionOf: accounts.webSession,
    identity,
    sessionCookies,
  }),
  route(getAccount, (request) => accounts.account(callerOf(request).userId)),
];
