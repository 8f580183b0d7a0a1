import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Transport } from '../../src/client/call-client.ts';

/** Requests go straight into the server, without a socket. */
export const injectFetch =
  (app: FastifyInstance): Transport =>
  async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url, 'http://in.process');
    const answer = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: `${pathname}${search}`,
      headers,
      ...(body !== undefined && { payload: body }),
    });
    const replyHeaders = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const item of [value ?? []].flat()) replyHeaders.append(name, String(item));
    }
    const text = answer.statusCode === 204 || answer.statusCode === 304 ? null : answer.rawPayload;
    return new Response(text && new Uint8Array(text), { status: answer.statusCode, headers: replyHeaders });
  };
