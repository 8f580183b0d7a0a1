import { forbidden, unauthorized } from '../../../kit/errors.ts';
import { leadsToLoopback } from '../../../kit/loopback.ts';
import type { RouteRequest } from '../../../kit/route.ts';

/**
 * Agents are programs: a cookie does not speak for them, so that no page can use a browser's session, and pages of other sites are
 * refused even with a token. A name that a page has made lead here (DNS rebinding) is another site too.
 */
export function refusePages({ headers }: Pick<RouteRequest, 'headers'>, origins: readonly string[]): void {
  const { authorization, origin, host } = headers;
  if (authorization === undefined)
    throw unauthorized('Send an API key or access token: Authorization: Bearer <token>', {
      code: 'not_authenticated',
    });
  if (typeof origin !== 'string' || origins.includes(origin)) return;
  const page = URL.parse(origin);
  if (page !== null && page.host === host && leadsToLoopback(page)) return;
  throw forbidden('This request comes from the page of another site (setting CORS_ORIGINS)', {
    code: 'cross_origin',
  });
}
