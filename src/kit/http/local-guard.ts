import type { IncomingHttpHeaders } from 'node:http';
import { forbidden, type HttpError } from '../errors.ts';
import { isLoopback } from '../loopback.ts';

/** Looks at a request before anything else does; null lets it in. */
export type Guard = (request: { headers: IncomingHttpHeaders; url?: string | undefined }) => HttpError | null;

const HOST = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/;

/** Whether a host is this machine. Any other name that leads here was made to do so by somebody else (DNS rebinding). */
function isOwnHost(host: string): boolean {
  const [, bracketed, plain] = HOST.exec(host) ?? [];
  return isLoopback(bracketed ?? plain ?? '');
}

/**
 * Lets in programs of this machine and the service's own pages, where no token tells them from pages of other sites: a
 * page of any site can send requests to loopback addresses, and by a name of its own also read the answers.
 */
export function createLocalGuard(allowedOrigins: readonly string[]): Guard {
  return ({ headers, url = '' }) => {
    const {
      host = '',
      origin,
      'sec-fetch-site': site,
      'sec-fetch-mode': mode,
      'sec-fetch-dest': dest,
    } = headers;
    if (!isOwnHost(host)) return foreignHost();
    if (origin !== undefined) {
      const isKnown = origin === `http://${host.toLowerCase()}` || allowedOrigins.includes(origin);
      return isKnown ? null : foreignOrigin();
    }
    // Without an origin come programs, own pages, links that somebody follows, and what other sites embed.
    const isFollowed = mode === 'navigate' && (dest === undefined || dest === 'document');
    const isForeign = site === 'cross-site' || site === 'same-site';
    return isForeign && (!isFollowed || isForced(url)) ? foreignOrigin() : null;
  };
}

/** Whether a request goes on where the service would hold back and ask: nobody confirms that by following a link. */
const isForced = (url: string): boolean => new URLSearchParams(url.replace(/^[^?]*/, '')).has('force');

const foreignHost = () =>
  forbidden('This service answers to localhost and loopback addresses alone', { code: 'foreign_host' });
const foreignOrigin = () =>
  forbidden('This request comes from the page of another site (setting CORS_ORIGINS)', {
    code: 'cross_origin',
  });
