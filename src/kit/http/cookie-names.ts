import { createHmac } from 'node:crypto';

/** The name of a cookie for a use (`access`) at a path. */
export type CookieName = (use: string, path: string) => string;

export interface CookieNamesOptions {
  /** A secret that the processes of one installation share, and no others do. */
  secret: string;
  /** Whether browsers reach the surface by https alone. */
  isSecure: boolean;
}

/**
 * Browsers share cookies over all ports of a host: each installation has names of its own. The prefixes keep other hosts
 * of the same domain from setting them; browsers refuse them without https.
 */
export function cookieNames({ secret, isSecure }: CookieNamesOptions): CookieName {
  const installation = createHmac('sha256', secret).update('canonry cookies').digest('hex').slice(0, 8);
  return (use, path) => {
    const prefix = isSecure ? (path === '/' ? '__Host-' : '__Secure-') : '';
    return `${prefix}canonry_${use}_${installation}`;
  };
}
