import type { FastifyReply } from 'fastify';

/** Aborts when the connection closes before the reply is complete. */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const end = () => {
    if (!raw.writableFinished) gone.abort(new Error('the caller has gone'));
  };
  if (raw.destroyed) end();
  else raw.once('close', end);
  return gone.signal;
}
