import { HttpError } from '../../kit/errors.ts';
import type { Authenticate } from '../../kit/principal.ts';
import type { Cookie } from '../../kit/route.ts';
import type { AccountsService, SessionCookies } from '../accounts/index.ts';
import type { User, Users } from '../users/index.ts';
import type { Handoffs } from './handoffs.ts';
import { withParameter } from './return-urls.ts';

export interface DesktopSignInOptions {
  users: Pick<Users, 'findById'>;
  accounts: Pick<AccountsService, 'refresh' | 'userOf'>;
  handoffs: Handoffs;
  authenticate: Authenticate;
  sessionCookies: SessionCookies;
}

/** What an install asks for. */
export interface DesktopRequest {
  redirectUri: string;
  state: string;
  challenge: string;
}

/** Somebody's session in a browser, with the cookies that it goes on by. */
export interface BrowserSession {
  user: User;
  cookies: readonly Cookie[];
}

type Cookies = Readonly<Record<string, string | undefined>>;

/** Signing a desktop install in by the browser of its machine (RFC 8252). */
export function createDesktopSignIn(options: DesktopSignInOptions) {
  const { users, accounts, handoffs, authenticate, sessionCookies } = options;

  async function byAccessToken(token: string | undefined): Promise<string | null> {
    if (!token) return null;
    return Promise.resolve(token)
      .then(authenticate)
      .then(({ userId }) => userId)
      .catch(unlessFault);
  }

  async function byRefreshToken(token: string | undefined) {
    return token ? accounts.refresh(token).catch(unlessFault) : null;
  }

  async function sessionOf(userId: string, cookies: readonly Cookie[]): Promise<BrowserSession | null> {
    const user = await users.findById(userId);
    return user?.isActive ? { user, cookies } : null;
  }

  const back = ({ redirectUri, state }: DesktopRequest, name: string, value: string): string =>
    withParameter(withParameter(redirectUri, name, value), 'state', state);

  return {
    /** Who is signed in in a browser; null for nobody. A session whose access token has run out is renewed. */
    async browserSession(cookies: Cookies): Promise<BrowserSession | null> {
      const userId = await byAccessToken(cookies[sessionCookies.access]);
      if (userId !== null) return sessionOf(userId, []);
      const tokens = await byRefreshToken(cookies[sessionCookies.refresh]);
      return tokens && sessionOf(tokens.user_id, sessionCookies.of(tokens));
    },

    /** Throws 401 for a wrong address or password. */
    userOf: accounts.userOf,

    /** Where the browser goes on: to the install, with a code that the install alone can exchange. */
    allow: async (request: DesktopRequest, user: User): Promise<string> =>
      back(request, 'code', await handoffs.make(user, request.challenge)),

    deny: (request: DesktopRequest): string => back(request, 'error', 'access_denied'),
  };
}

export type DesktopSignIn = ReturnType<typeof createDesktopSignIn>;

/** A session that is over is nobody's; a service that does not answer is not. */
function unlessFault(error: unknown): null {
  if (error instanceof HttpError && error.status < 500) return null;
  throw error;
}
