import type { ReplyOf } from '../../kit/contract.ts';
import { HttpError, unauthorized } from '../../kit/errors.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import type { Identity } from './identity.ts';
import type { Credentials } from './password-sign-in.ts';
import type { CookieTokens, SessionCookies } from './session-cookies.ts';
import { webLogin, webLogout, webSession } from './web.contract.ts';

export interface WebRoutesOptions {
  /** Throws 401 for wrong credentials. */
  signIn(credentials: Credentials, address: string): Promise<{ userId: string; tokens: CookieTokens }>;
  sessionOf(userId: string): Promise<ReplyOf<typeof webSession>>;
  identity: Identity;
  sessionCookies: SessionCookies;
}

/** Sessions of browsers: their tokens are cookies that no script sees. */
export const webRoutes = ({ signIn, sessionOf, identity, sessionCookies }: WebRoutesOptions): Route[] => [
  route(webLogin, async ({ body, address }) => {
    const { userId, tokens } = await signIn(body, address);
    return new Reply(await sessionOf(userId), { cookies: sessionCookies.of(tokens) });
  }),
  route(webSession, async ({ cookies }) => {
    const token = cookies[sessionCookies.access];
    if (!token) throw noCookie();
    return sessionOf((await identity.authenticator.authenticate(token)).userId);
  }),
  route(webLogout, async ({ cookies }) => {
    const { [sessionCookies.access]: access, [sessionCookies.refresh]: refresh } = cookies;
    if (!access && !refresh) throw noCookie();
    // One by one: they may be of two people who signed in here.
    for (const given of [{ access }, { refresh }]) await identity.signOut(given).catch(unlessOver);
    return new Reply({ message: 'Signed out' }, { cookies: sessionCookies.ended });
  }),
];

/** A session that has already ended is no error; its cookies are removed anyway. */
function unlessOver(error: unknown): void {
  if (!(error instanceof HttpError && error.status === 401)) throw error;
}

const noCookie = () =>
  unauthorized('There is no session: sign in by POST /api/auth/web/login', { code: 'not_authenticated' });
