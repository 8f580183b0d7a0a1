import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { userExample } from '../../src/people/users/users.contract.ts';

export type CloudAnswer = (request: http.IncomingMessage, response: http.ServerResponse) => unknown;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): CloudAnswer =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** A pull's reply: a full listing without content. */
export const page = (more: object): object => ({
  entities: [],
  files: [],
  conflicts: [],
  complete: true,
  listing: 'complete' in more ? more.complete : true,
  has_more: false,
  cursor: 'a-1-a',
  server_timestamp: '2026-01-01T00:00:00.000Z',
  ...more,
});

/** The answer to a push of nothing. */
export const EMPTY_PUSH = {
  accepted: [],
  rejected: [],
  conflicts: [],
  versions: {},
  cursor: null,
  server_timestamp: '',
  files: { accepted: [], rejected: [] },
};

/** An entity of a pull. */
export const pulledEntity = (more: object): object => ({
  entity_type: 'character',
  version: 1,
  status: 'draft',
  fields: {},
  markdown_body: '',
  updated_by: null,
  updated_at: '2026-01-01T00:00:00.000Z',
  ...more,
});

interface Pushed {
  files?: { path: string }[];
  entities?: { entity_type: string; entity_id: string }[];
}

/** `reasonFor` gives a reason to refuse an item. */
export const answerPush =
  (reasonFor: (key: string) => string | null = () => null): CloudAnswer =>
  async (request, response) => {
    const { files = [], entities = [] } = JSON.parse(await text(request)) as Pushed;
    const reply = {
      ...EMPTY_PUSH,
      rejected: entities.map((one) => ({ ...one, code: 'refused', detail: 'not here' })),
      cursor: 'a-1-a',
      files: {
        accepted: files.map(({ path }) => path).filter((path) => reasonFor(path) === null),
        rejected: files.flatMap(({ path }) => {
          const detail = reasonFor(path);
          return detail === null ? [] : [{ path, code: 'refused', detail, sha256: null }];
        }),
      },
    };
    json(200, reply)(request, response);
  };

/** A scripted cloud; each token is a tenant of its own. */
export async function startFakeCloud() {
  let answer: CloudAnswer = json(503, { detail: 'Not yet' });
  const server = http.createServer((request, response) => {
    const tenant_id = request.headers.authorization?.replace('Bearer ', '');
    const isMe = request.url === '/api/auth/me';
    return isMe ? json(200, { ...userExample, tenant_id })(request, response) : answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers(next: CloudAnswer): void {
      answer = next;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type FakeCloud = Awaited<ReturnType<typeof startFakeCloud>>;
