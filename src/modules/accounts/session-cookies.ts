import type { Cookie } from '../../kit/route.ts';
import { ACCESS_TOKEN_LIFETIME } from '../auth/access-tokens.ts';
import { REFRESH_TOKEN_LIFETIME } from '../auth/sessions.service.ts';

export const ACCESS_COOKIE = 'canonry_access';
export const REFRESH_COOKIE = 'canonry_refresh';

const access = { name: ACCESS_COOKIE, path: '/' };
/** Sent to the routes that take it alone. */
const refresh = { name: REFRESH_COOKIE, path: '/api/auth' };

/** The cookies of a browser's session: no script of a page ever sees the tokens. */
export const sessionCookies = (tokens: { access_token: string; refresh_token: string }): Cookie[] => [
  { ...access, value: tokens.access_token, maxAgeSeconds: ACCESS_TOKEN_LIFETIME },
  { ...refresh, value: tokens.refresh_token, maxAgeSeconds: REFRESH_TOKEN_LIFETIME },
];

export const endedCookies: readonly Cookie[] = [
  { ...access, value: '', maxAgeSeconds: 0 },
  { ...refresh, value: '', maxAgeSeconds: 0 },
];
