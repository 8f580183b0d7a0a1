import type { IncomingHttpHeaders } from 'node:http';
import { forbidden, type HttpError } from '../errors.ts';
import { isLoopback } from '../loopback.ts';

export interface GuardedRequest {
  headers: IncomingHttpHeaders;
  url?: string | undefined;
  /** As forwarded by a trusted proxy; a handshake of a WebSocket has neither. */
  protocol?: string;
  host?: string;
}

/** Looks at a request before anything else does; null lets it in. */
export type Guard = (request: GuardedRequest) => HttpError | null;

const HOST = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/;

/** Any other name that leads here was pointed here by somebody else (DNS rebinding). */
function isOwnHost(host: string): boolean {
  const [, bracketed, plain] = HOST.exec(host) ?? [];
  return isLoopback(bracketed ?? plain ?? '');
}

/**
 * Admits programs of this machine and the service's own pages where no token is required: a page of any site can send
 * requests to loopback addresses, and through its own host name also read the replies.
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
    // Programs, our own pages, followed links and resources embedded by other sites send no origin.
    const isFollowed = mode === 'navigate' && (dest === undefined || dest === 'document');
    const isForeign = site === 'cross-site' || site === 'same-site';
    return isForeign && (!isFollowed || isForced(url)) ? foreignOrigin() : null;
  };
}

/** True if a request overrides a confirmation: following a link must not confirm anything. */
const isForced = (url: string): boolean => new URLSearchParams(url.replace(/^[^?]*/, '')).has('force');

const foreignHost = () =>
  forbidden('This service answers only to localhost and loopback addresses', { code: 'foreign_host' });
const foreignOrigin = () =>
  forbidden('This request comes from the page of another site (setting CORS_ORIGINS)', {
    code: 'cross_origin',
  });
