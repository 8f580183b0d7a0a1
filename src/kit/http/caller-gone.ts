import type { FastifyReply } from 'fastify';
import { badRequest } from '../errors.ts';

/** Aborts when the connection closes before the reply is complete. The reason is no fault of ours, and is not logged as one. */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const end = () => {
    if (!raw.writableFinished) gone.abort(badRequest('the caller has gone'));
  };
  if (raw.destroyed) end();
  else raw.once('close', end);
  return gone.signal;
}
