import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallbackOutcome, callbackPage } from './callback.page.ts';

export interface CallbackAnswer {
  state: string;
  code: string | null;
  error: string | null;
}

export interface CallbackListener {
  redirectUri: string;
  close(): void;
}

const HOST = '127.0.0.1';

/**
 * Listens on a free local port for the browser returning from a sign-in (RFC 8252 §7.3). Only the literal IP is accepted as
 * host, so that no other site's name can lead here.
 */
export async function listenForCallback(
  answered: (answer: CallbackAnswer) => Promise<CallbackOutcome>,
): Promise<CallbackListener> {
  let own = '';
  const server: Server = createServer((request, response) => {
    const isForUs = request.headers.host === own && request.method === 'GET';
    const answer = isForUs ? answerIn(URL.parse(request.url ?? '/', `http://${own}`)) : null;
    if (answer === null) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    void answered(answer).then((outcome) => {
      const { headers, body } = callbackPage(outcome);
      response.writeHead(outcome.isSignedIn ? 200 : 400, headers).end(body);
    });
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  own = `${HOST}:${port}`;
  server.unref();
  return {
    redirectUri: `http://${own}/callback`,
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** Null for anything else: any local program can send requests here. */
function answerIn(url: URL | null): CallbackAnswer | null {
  if (url?.pathname !== '/callback') return null;
  const { searchParams } = url;
  const [state, code, error] = ['state', 'code', 'error'].map((name) => searchParams.get(name));
  return state && (code || error) ? { state, code: code ?? null, error: error ?? null } : null;
}
