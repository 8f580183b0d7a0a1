import { HttpError, unauthorized } from '../../kit/errors.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import type { Identity } from '../auth/index.ts';
import type { AccountsService } from './accounts.service.ts';
import type { SessionCookies } from './session-cookies.ts';
import { webLogin, webLogout, webSession } from './web.contract.ts';

export const webRoutes = (
  accounts: AccountsService,
  { authenticator, signOut }: Identity,
  sessionCookies: SessionCookies,
): Route[] => [
  route(webLogin, async ({ body, address }) => {
    const user = await accounts.userOf(body, address);
    const cookies = sessionCookies.of(await accounts.signIn(user));
    return new Reply(await accounts.webSession(user.userId), { cookies });
  }),
  route(webSession, async ({ cookies }) => {
    const token = cookies[sessionCookies.access];
    if (!token) throw noCookie();
    return accounts.webSession((await authenticator.authenticate(token)).userId);
  }),
  route(webLogout, async ({ cookies }) => {
    const { [sessionCookies.access]: access, [sessionCookies.refresh]: refresh } = cookies;
    if (!access && !refresh) throw noCookie();
    // One by one: they may be of two people who signed in here.
    for (const given of [{ access }, { refresh }]) await signOut(given).catch(unlessOver);
    return new Reply({ message: 'Signed out' }, { cookies: sessionCookies.ended });
  }),
];

/** A session that has already ended is no error; its cookies are removed anyway. */
function unlessOver(error: unknown): void {
  if (!(error instanceof HttpError && error.status === 401)) throw error;
}

const noCookie = () =>
  unauthorized('There is no session: sign in by POST /api/auth/web/login', { code: 'not_authenticated' });
