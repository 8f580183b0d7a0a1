import type { Config } from '../kit/config/index.ts';
import { type CookieName, cookieNames } from '../kit/http/cookie-names.ts';
import type { CookieOptions } from '../kit/http/mount-options.ts';
import { accessCookieName } from '../people/auth/index.ts';

const isHttps = (publicUrl: string | null): boolean => publicUrl?.startsWith('https:') === true;

/** Surfaces of an installation share SERVICE_TOKEN; a surface that runs alone has an ENCRYPTION_KEY. */
export const cookieNamesOf = (
  { serviceToken, encryptionKey }: Pick<Config, 'serviceToken' | 'encryptionKey'>,
  publicUrl: string | null,
): CookieName =>
  cookieNames({
    secret: serviceToken ?? Buffer.from(encryptionKey).toString('base64url'),
    isSecure: isHttps(publicUrl),
  });

/** How a surface accepts the cookies of a browser session; `publicUrl` is its address for browsers. */
export const browserSessions = (
  corsOrigins: readonly string[],
  publicUrl: string | null,
  cookieName: CookieName,
): CookieOptions => ({
  accessToken: accessCookieName(cookieName),
  origins: [...corsOrigins, ...(publicUrl === null ? [] : [new URL(publicUrl).origin])],
  secure: isHttps(publicUrl),
});
