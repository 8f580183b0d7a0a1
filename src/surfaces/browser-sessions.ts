import type { CookieOptions } from '../kit/http/mount-options.ts';
import { ACCESS_COOKIE } from '../modules/accounts/session-cookies.ts';

/** How a surface takes the cookies of a web login; `publicUrl` is the address under which browsers reach it. */
export const browserSessions = (corsOrigins: readonly string[], publicUrl: string | null): CookieOptions => ({
  accessToken: ACCESS_COOKIE,
  origins: [...corsOrigins, ...(publicUrl === null ? [] : [new URL(publicUrl).origin])],
  secure: publicUrl?.startsWith('https:') === true,
});
