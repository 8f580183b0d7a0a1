import { Agent, request } from 'node:http';

export interface Asked {
  method: string;
  path: string;
  token: string;
  body?: unknown;
}

/** One connection to a service, for one request at a time. */
export function connectTo(url: string) {
  const { hostname: host, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  return {
    /** Resolves to the milliseconds until the whole reply was there; rejects if it is an error. */
    ask({ method, path, token, body }: Asked): Promise<number> {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        ...(text !== '' && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      };
      const started = performance.now();
      return new Promise((resolve, reject) => {
        const sent = request({ host, port, method, path, headers, agent }, (reply) => {
          if ((reply.statusCode ?? 500) >= 300)
            reject(new Error(`${method} ${path} answered ${reply.statusCode}`));
          reply.resume().once('end', () => resolve(performance.now() - started));
        });
        sent.once('error', reject);
        sent.end(text);
      });
    },
    close: (): void => agent.destroy(),
  };
}

export type Connection = ReturnType<typeof connectTo>;
