import { invalidField } from '../../kit/errors.ts';

const PAGE = '/settings/billing';

/** The address if it is on an origin of ours; the billing page without one. 422 for any other. */
export type ReturnAddresses = (field: string, given: string | undefined) => string;

/** Where the provider sends people back to: only to our own pages, or the provider would be a redirect to anywhere. */
export function createReturnAddresses(publicUrl: string, corsOrigins: readonly string[]): ReturnAddresses {
  const origins = new Set([new URL(publicUrl).origin, ...corsOrigins]);
  return (field, given) => {
    if (given === undefined) return `${publicUrl.replace(/\/$/, '')}${PAGE}`;
    const url = URL.canParse(given) ? new URL(given) : null;
    if (url !== null && origins.has(url.origin) && url.username === '' && url.password === '')
      return url.href;
    throw invalidField(
      field,
      `must be an address at ${[...origins].join(' or ')} (settings PUBLIC_URL and CORS_ORIGINS)`,
    );
  };
}
