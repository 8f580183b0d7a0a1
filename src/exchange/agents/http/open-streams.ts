import { HttpError } from '../../../kit/errors.ts';
import { bearerOf } from '../../../kit/http/bearer.ts';
import type { Authenticate } from '../../../kit/principal.ts';
import type { RouteRequest } from '../../../kit/route.ts';

/** As for WebSockets: per caller, and in the process. */
const MOST_OF_ONE = 50;
const MOST_IN_ALL = 10_000;
/** With the token cache's delay, lost access ends a stream within 5 seconds. */
const RECHECK_EVERY_MS = 1_000;

export interface OpenStreams {
  /** Counts a stream until the returned function is called, and ends it once its token is worth nothing. 429 if there are too many. */
  admit(request: Pick<RouteRequest, 'headers' | 'tenantId' | 'actor'>, end: () => void): () => void;
}

export function createOpenStreams({ authenticate }: { authenticate: Authenticate }): OpenStreams {
  const counts = new Map<string, number>();
  let inAll = 0;

  function count(owner: string, change: 1 | -1): void {
    const next = (counts.get(owner) ?? 0) + change;
    if (next === 0) counts.delete(owner);
    else counts.set(owner, next);
    inAll += change;
  }

  /** A short outage of the service must not end a stream. */
  async function isRefused(token: string, tenantId: string): Promise<boolean> {
    try {
      return (await authenticate(token)).tenantId !== tenantId;
    } catch (error) {
      return error instanceof HttpError && error.status < 500;
    }
  }

  return {
    admit({ headers, tenantId, actor }, end) {
      const owner = JSON.stringify([tenantId, actor]);
      if ((counts.get(owner) ?? 0) >= MOST_OF_ONE || inAll >= MOST_IN_ALL) throw tooManyStreams();
      const token = bearerOf(headers) ?? '';
      count(owner, 1);
      let isOpen = true;
      const timer = setInterval(() => {
        void isRefused(token, tenantId).then((refused) => {
          if (refused && isOpen) end();
        });
      }, RECHECK_EVERY_MS).unref();
      return () => {
        if (!isOpen) return;
        isOpen = false;
        clearInterval(timer);
        count(owner, -1);
      };
    },
  };
}

const tooManyStreams = () =>
  new HttpError(429, 'You have too many event streams open: close some first', {
    code: 'too_many_streams',
    headers: { 'retry-after': '5' },
  });
