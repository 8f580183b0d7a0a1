import { unauthorized } from '../../kit/errors.ts';
import { bearerOf } from '../../kit/http/bearer.ts';
import { callerOf } from '../../kit/principal.ts';
import { Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { Identity } from '../auth/index.ts';
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
import type { SessionCookies } from './session-cookies.ts';

export interface AccountRoutesOptions {
  accounts: AccountsService;
  registrations: Registrations;
  identity: Identity;
  signingKeys: SigningKeys;
  sessionCookies: SessionCookies;
}

/** The same reply for every address, so that it does not reveal who has an account. */
const MAIL_SENT = {
  message: 'A mail is on its way to this address: open its link, then sign in',
  email_verified: false,
};

const SIGNED_OUT = { message: 'Signed out' };

const KEEP_SHORTLY = { 'cache-control': 'public, max-age=60' };

const headerOf = ({ headers }: Pick<RouteRequest, 'headers'>, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

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
    return 'access_token' in made ? made : new Reply({ ...MAIL_SENT, ...made }, { status: 202 });
  }),
  route(loginAccount, async ({ body, address }) => accounts.signIn(await accounts.userOf(body, address))),
  route(refreshAccount, async (request) => {
    const given = request.body?.refresh_token ?? headerOf(request, 'x-refresh-token');
    if (given !== undefined) return accounts.refresh(given);
    const kept = request.cookies[sessionCookies.refresh];
    if (kept === undefined) throw noRefreshToken();
    const tokens = await accounts.refresh(kept);
    const { refresh_token: _, ...shown } = tokens;
    return new Reply(shown, { cookies: sessionCookies.of(tokens) });
  }),
  route(logoutAccount, async (request) => {
    const { headers, cookies, body } = request;
    const refresh = body?.refresh_token ?? headerOf(request, 'x-refresh-token');
    // A caller that sends its own token means that session, not the browser's.
    if (headers.authorization !== undefined || refresh !== undefined) {
      await identity.signOut({ access: bearerOf(headers), refresh });
      return SIGNED_OUT;
    }
    const { [sessionCookies.access]: access, [sessionCookies.refresh]: kept } = cookies;
    await identity.signOut({ access, refresh: kept });
    return new Reply(SIGNED_OUT, { cookies: sessionCookies.ended });
  }),
  route(getAccount, (request) => accounts.account(callerOf(request).userId)),
];

const noRefreshToken = () =>
  unauthorized(
    'Send the refresh token: in the body as refresh_token, as X-Refresh-Token, or by the cookie of a web login',
    { code: 'not_authenticated' },
  );
