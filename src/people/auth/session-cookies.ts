import type { CookieName } from '../../kit/http/cookie-names.ts';
import type { Cookie } from '../../kit/route.ts';
import { ACCESS_TOKEN_LIFETIME } from './access-tokens.ts';
import { REFRESH_TOKEN_LIFETIME } from './sessions.service.ts';

/** Only the routes that read the refresh token receive it. */
const REFRESH_PATH = '/api/auth';

export const accessCookieName = (cookieName: CookieName): string => cookieName('access', '/');

export interface CookieTokens {
  access_token: string;
  refresh_token: string;
}

/** The cookies of a browser session: scripts of a page never see the tokens. */
export function createSessionCookies(cookieName: CookieName) {
  const access = { name: accessCookieName(cookieName), path: '/' };
  const refresh = { name: cookieName('refresh', REFRESH_PATH), path: REFRESH_PATH };
  return {
    /** Names. */
    access: access.name,
    refresh: refresh.name,
    of: (tokens: CookieTokens): Cookie[] => [
      { ...access, value: tokens.access_token, maxAgeSeconds: ACCESS_TOKEN_LIFETIME },
      { ...refresh, value: tokens.refresh_token, maxAgeSeconds: REFRESH_TOKEN_LIFETIME },
    ],
    ended: [
      { ...access, value: '', maxAgeSeconds: 0 },
      { ...refresh, value: '', maxAgeSeconds: 0 },
    ] as readonly Cookie[],
  };
}

export type SessionCookies = ReturnType<typeof createSessionCookies>;
