import { HttpError } from '../../kit/errors.ts';

/**
 * Why a service gave no answer. `refused`: nothing was sent; `unreachable`: the same, after the full wait for a connection;
 * `cut`: the connection ended after the request was sent; `idle`: nothing arrived for too long.
 */
export type UpstreamFault = 'refused' | 'unreachable' | 'cut' | 'idle';

export class UpstreamError extends Error {
  readonly fault: UpstreamFault;

  constructor(fault: UpstreamFault, cause: unknown) {
    super(fault, { cause });
    this.name = 'UpstreamError';
    this.fault = fault;
  }
}

const REPLIES: Readonly<Record<UpstreamFault, { status: number; code: string; detail: string }>> = {
  refused: {
    status: 503,
    code: 'upstream_unavailable',
    detail: 'takes no requests at the moment: try again shortly',
  },
  unreachable: {
    status: 503,
    code: 'upstream_unreachable',
    detail: 'could not be reached in time: try again shortly',
  },
  cut: {
    status: 502,
    code: 'upstream_failed',
    detail: 'ended the connection without an answer: whether the request took effect is not known',
  },
  idle: {
    status: 503,
    code: 'upstream_timeout',
    detail: 'did not answer in time: whether the request takes effect is not known',
  },
};

const RETRY_AFTER_SECONDS = 5;

export function upstreamReply(service: string, fault: UpstreamFault): HttpError {
  const { status, code, detail } = REPLIES[fault];
  const headers = status === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {};
  return new HttpError(status, `The ${service} service ${detail}`, { code, headers });
}
