import type { Config } from '../kit/config/index.ts';
import { type CookieName, cookieNames } from '../kit/http/cookie-names.ts';
import type { CookieOptions } from '../kit/http/mount-options.ts';
import { accessCookieName } from '../people/accounts/index.ts';

const isHttps = (publicUrl: string | null): boolean => publicUrl?.startsWith('https:') === true;

/** The names of an installation's cookies: its surfaces share SERVICE_TOKEN, and one that is alone has a key. */
export const cookieNamesOf = (
  { serviceToken, encryptionKey }: Pick<Config, 'serviceToken' | 'encryptionKey'>,
  publicUrl: string | null,
): CookieName =>
  cookieNames({
    secret: serviceToken ?? Buffer.from(encryptionKey).toString('base64url'),
    isSecure: isHttps(publicUrl),
  });

/** How a surface takes the cookies of a web login; `publicUrl` is the address under which browsers reach it. */
export const browserSessions = (
  corsOrigins: readonly string[],
  publicUrl: string | null,
  cookieName: CookieName,
): CookieOptions => ({
  accessToken: accessCookieName(cookieName),
  origins: [...corsOrigins, ...(publicUrl === null ? [] : [new URL(publicUrl).origin])],
  secure: isHttps(publicUrl),
});
