import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Type } from 'typebox';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { contract } from '../contract.ts';
import { Reply, route } from '../route.ts';
import { createServer } from './server.ts';

const endless = contract('GET /endless', {
  name: 'endless',
  auth: 'none',
  tag: 'Test',
  summary: 'A reply that goes on until its caller leaves',
  reply: Type.Unknown(),
  replyType: 'text/event-stream',
});

async function serve() {
  const reply = new Readable({ read() {} });
  reply.push(': open\n\n');
  const app = await createServer({
    ...BARE_SERVER,
    routes: [
      route(
        endless,
        () => new Reply(reply, { endless: true, headers: { 'content-type': 'text/event-stream' } }),
      ),
    ],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, port, reply };
}

test('a server closes although a connection has sent no request yet', { timeout: 20_000 }, async () => {
  const { app, port } = await serve();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(app.server, 'connection');
  const ended = once(socket, 'close');
  await app.close();
  await ended;
});

test('a server that closes answers a request that is on its way over a new connection', {
  timeout: 20_000,
}, async () => {
  const { app, port } = await serve();
  const socket = connect(port, '127.0.0.1');
  await once(app.server, 'connection');
  const closed = app.close();
  await new Promise(setImmediate);
  socket.write('GET /missing HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 404 /);
  await closed;
});

test('a server closes although a reply has no end', { timeout: 20_000 }, async () => {
  const { app, port, reply } = await serve();
  const { body } = await fetch(`http://127.0.0.1:${port}/endless`);
  const reader = body?.getReader();
  await reader?.read();
  await app.close();
  assert.ok(reply.destroyed);
  await assert.rejects(async () => reader?.read());
});
