import { HttpError } from '../../kit/errors.ts';
import type { Authenticate } from '../../kit/principal.ts';
import type { Cookie } from '../../kit/route.ts';
import type { AccountsService } from '../accounts/index.ts';
import type { SessionCookies } from '../auth/index.ts';
import type { User, Users } from '../users/index.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import { withParameter } from './return-urls.ts';

export interface DesktopSignInOptions {
  users: Pick<Users, 'findById'>;
  accounts: Pick<AccountsService, 'refresh' | 'userOf'>;
  oneTimeCodes: OneTimeCodes;
  authenticate: Authenticate;
  sessionCookies: SessionCookies;
}

export interface DesktopRequest {
  redirectUri: string;
  state: string;
  challenge: string;
}

/** A session in a browser, with the cookies that continue it. */
export interface BrowserSession {
  user: User;
  cookies: readonly Cookie[];
}

type Cookies = Readonly<Record<string, string | undefined>>;

/** Signs a desktop install in through the browser of its machine (RFC 8252). */
export function createDesktopSignIn(options: DesktopSignInOptions) {
  const { users, accounts, oneTimeCodes, authenticate, sessionCookies } = options;

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
    /** The person signed in in a browser; null if nobody is. An expired access token is renewed. */
    async browserSession(cookies: Cookies): Promise<BrowserSession | null> {
      const userId = await byAccessToken(cookies[sessionCookies.access]);
      if (userId !== null) return sessionOf(userId, []);
      const tokens = await byRefreshToken(cookies[sessionCookies.refresh]);
      return tokens && sessionOf(tokens.user_id, sessionCookies.of(tokens));
    },

    /** Throws 401 for a wrong address or password. */
    userOf: accounts.userOf,

    /** The redirect to the install, with a code that only the install can exchange. */
    allow: async (request: DesktopRequest, user: User): Promise<string> =>
      back(request, 'code', await oneTimeCodes.make(user, request.challenge)),

    deny: (request: DesktopRequest): string => back(request, 'error', 'access_denied'),
  };
}

export type DesktopSignIn = ReturnType<typeof createDesktopSignIn>;

/** Null for a session that has ended; faults of the service are thrown again. */
function unlessFault(error: unknown): null {
  if (error instanceof HttpError && error.status < 500) return null;
  throw error;
}
