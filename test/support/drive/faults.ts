import { ApiError, forbidden } from './api-error.ts';

/** Something that goes wrong with the requests that it is for. */
export interface Fault {
  /** Of requests as `POST /upload/drive/v3/files?uploadType=multipart`, also of those in a batch; all by default. */
  match?: RegExp;
  /** How many requests; 1 by default, without an end with `every`. */
  times?: number;
  /** Of matching requests only each of this number, such as every third. */
  every?: number;
  /** The effect that the request has before it goes wrong: `none` by default. A `cut` answer always has it. */
  effect?: 'done' | 'none';
  /** Answers with an error of its true shape. */
  status?: number;
  /** Of a 403, such as `userRateLimitExceeded`; `rateLimitExceeded` by default. */
  reason?: string;
  /** Seconds, for `Retry-After`. */
  retryAfter?: number;
  /**
   * `cut`: half of the answer arrives. `reset`: the connection ends without one. `silent`: nothing comes. `cut-upload`: the connection
   * ends when half of the request's body came.
   */
  connection?: 'cut' | 'reset' | 'silent' | 'cut-upload';
  /** Before the answer, which is right if nothing else is asked for. */
  delayMs?: number;
  /** `incomplete`: says so and misses half. `short`: misses half and does not say so. */
  list?: 'empty' | 'incomplete' | 'short';
  /** The page token is not accepted, with 400 or with 410. */
  pageToken?: 'expired' | 'gone';
}

export interface Faults {
  /** Used in the order given. */
  next(fault: Fault): void;
  /** Forgets those that were not used. */
  clear(): void;
}

export function createFaults(): Faults & { take(request: string): Fault } {
  let waiting: { fault: Fault; left: number; seen: number }[] = [];
  return {
    next(fault) {
      const left = fault.times ?? (fault.every === undefined ? 1 : Number.POSITIVE_INFINITY);
      waiting.push({ fault, left, seen: 0 });
    },
    clear() {
      waiting = [];
    },
    take(request) {
      for (const each of waiting) {
        const { fault } = each;
        if (each.left <= 0 || !(fault.match?.test(request) ?? true)) continue;
        each.seen += 1;
        if (each.seen % (fault.every ?? 1) !== 0) continue;
        each.left -= 1;
        return fault;
      }
      return {};
    },
  };
}

/** True if the answer is another one than the right one. */
export const isBroken = ({ status, connection }: Fault): boolean =>
  status !== undefined || (connection !== undefined && connection !== 'cut');

const ERRORS: Record<number, [reason: string, message: string]> = {
  404: ['notFound', 'Not Found'],
  412: ['conditionNotMet', 'Precondition Failed'],
  429: ['rateLimitExceeded', 'Rate Limit Exceeded'],
  500: ['internalError', 'Internal Error'],
  502: ['badGateway', 'Bad Gateway'],
  503: ['backendError', 'Backend Error'],
};

const LIMITS: Record<string, string> = {
  rateLimitExceeded: 'Rate Limit Exceeded',
  userRateLimitExceeded: 'User Rate Limit Exceeded',
};

export function errorOf(status: number, { reason, retryAfter }: Fault): ApiError {
  const error = makeError(status, reason);
  if (retryAfter !== undefined) error.headers = { 'retry-after': String(retryAfter) };
  return error;
}

function makeError(status: number, reason = 'rateLimitExceeded'): ApiError {
  const message = LIMITS[reason] ?? `Status ${status} on demand`;
  if (status === 403 && reason in LIMITS)
    return new ApiError(403, { domain: 'usageLimits', reason, message });
  if (status === 403) return forbidden(reason, message);
  const [known = 'unknown', text = message] = ERRORS[status] ?? [];
  return new ApiError(status, {
    ...(status === 429 && { domain: 'usageLimits' }),
    reason: known,
    message: text,
  });
}
