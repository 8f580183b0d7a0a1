import { createHmac } from 'node:crypto';

export type CookieName = (use: string, path: string) => string;

export interface CookieNamesOptions {
  /** A secret that only the processes of one installation share. */
  secret: string;
  isSecure: boolean;
}

/**
 * Browsers share cookies across all ports of a host, so each installation has its own names. The prefixes keep other
 * hosts of the domain from setting them; browsers refuse them without https.
 */
export function cookieNames({ secret, isSecure }: CookieNamesOptions): CookieName {
  const installation = createHmac('sha256', secret).update('canonry cookies').digest('hex').slice(0, 8);
  return (use, path) => {
    const prefix = isSecure ? (path === '/' ? '__Host-' : '__Secure-') : '';
    return `${prefix}canonry_${use}_${installation}`;
  };
}
