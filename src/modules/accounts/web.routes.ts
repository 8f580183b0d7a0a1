import { unauthorized } from '../../kit/errors.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { isSignedIn } from '../auth/authenticate.ts';
import type { Identity } from '../auth/identity.ts';
import type { AccountsService } from './accounts.service.ts';
import type { SessionCookies } from './session-cookies.ts';
import { webLogin, webLogout, webSession } from './web.contract.ts';

export const webRoutes = (
  accounts: AccountsService,
  { authenticator, sessions, endSessions }: Identity,
  sessionCookies: SessionCookies,
): Route[] => {
  /** The session of an access token that is still good. */
  async function sessionOf(token: string): Promise<string | null> {
    const principal = await Promise.resolve(token)
      .then(authenticator.authenticate)
      .catch(() => null);
    return isSignedIn(principal) ? principal.sessionId : null;
  }

  return [
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
      const found = [
        access ? await sessionOf(access) : null,
        refresh ? sessions.sessionNamedBy(refresh) : null,
      ];
      await endSessions(found.filter((each) => each !== null));
      return new Reply({ message: 'Signed out' }, { cookies: sessionCookies.ended });
    }),
  ];
};

const noCookie = () =>
  unauthorized('There is no session: sign in by POST /api/auth/web/login', { code: 'not_authenticated' });
