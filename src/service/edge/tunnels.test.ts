import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type FakeService, startEdge, startFake, type TestEdge, tell } from '../../../test/support/edge.ts';

interface Opened {
  core: FakeService;
  edge: TestEdge;
  headers(): IncomingHttpHeaders;
}

/** A core behind an edge, with sockets that echo what they receive. */
async function withSockets(t: TestContext): Promise<Opened> {
  const core = await startFake((_request, response) => response.writeHead(401).end('no'));
  let headers: IncomingHttpHeaders = {};
  core.server.on('upgrade', (request, socket: Socket, head) => {
    headers = request.headers;
    socket.on('error', () => {});
    if (request.url?.includes('refused')) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
      return;
    }
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\nwelcome ',
    );
    socket.write(head);
    socket.pipe(socket);
  });
  const edge = await startEdge({ coreUrls: [core.url] });
  t.after(async () => {
    await core.close();
    await edge.close();
  });
  return { core, edge, headers: () => headers };
}

function open(edge: TestEdge, path: string, first = ''): Socket {
  const { port, host } = new URL(edge.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: 192.0.2.1\r\nSec-WebSocket-Key: x\r\n\r\n${first}`,
  );
  return socket;
}

async function readUntil(socket: Socket, end: string): Promise<string> {
  let heard = '';
  for (;;) {
    if (heard.includes(end)) return heard;
    const [piece] = (await once(socket, 'data')) as [string];
    heard += piece;
  }
}

test('a WebSocket goes through the edge, what is sent along with its opening included', async (t) => {
  const { edge, headers } = await withSockets(t);
  const socket = open(edge, '/api/ws?token=t', 'early ');
  const heard = await readUntil(socket, 'welcome early ');
  assert.match(heard, /^HTTP\/1\.1 101 /);
  assert.match(heard, /sec-websocket-accept: x\r\n/);
  assert.match(heard, /x-request-id: /);
  assert.equal(headers()['x-forwarded-for'], '127.0.0.1');
  assert.equal(headers()['sec-websocket-key'], 'x');
  socket.write('more');
  assert.equal(await readUntil(socket, 'more'), 'more');
  socket.destroy();
});

test('either side of a WebSocket that ends ends the other, and so does the edge', async (t) => {
  const { core, edge } = await withSockets(t);
  const reached = once(core.server, 'upgrade') as Promise<[unknown, Socket]>;
  const leaving = open(edge, '/api/ws');
  await readUntil(leaving, 'welcome');
  const [, served] = await reached;
  const ended = once(served, 'close');
  leaving.destroy();
  await ended;
  const left = open(edge, '/api/ws');
  await readUntil(left, 'welcome');
  const closed = once(left, 'close');
  await core.close();
  await closed;
  await core.reopen();
  const last = open(edge, '/api/ws');
  await readUntil(last, 'welcome');
  const over = once(last, 'close');
  await Promise.all([edge.close(), over]);
});

test('a WebSocket that the service refuses, or that is asked for elsewhere, is refused in HTTP', async (t) => {
  const { core, edge } = await withSockets(t);
  const heardAt = async (path: string): Promise<string> => {
    const socket = open(edge, path);
    let heard = '';
    for await (const piece of socket) heard += piece;
    return heard;
  };
  assert.match(await heardAt('/api/ws?refused'), /^HTTP\/1\.1 403 [\s\S]*no$/);
  assert.match(await heardAt('/api/things'), /^HTTP\/1\.1 400 [\s\S]*no_upgrade_here/);
  assert.match(await heardAt('/health'), /^HTTP\/1\.1 200 /);
  assert.equal((await tell(`${edge.url}/api/ws`)).status, 401, 'without Upgrade it is a request like others');
  await core.close();
  assert.match(await heardAt('/api/ws'), /^HTTP\/1\.1 503 [\s\S]*upstream_unavailable/);
});
