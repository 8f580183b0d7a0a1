import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { Type } from 'typebox';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { contract } from '../contract.ts';
import { createServer } from './server.ts';

const socketRoute = contract('GET /ws', {
  name: 'socket',
  auth: 'ws',
  tag: 'Test',
  summary: 'A WebSocket',
  reply: Type.Unknown(),
});

const app = await createServer({
  ...BARE_SERVER,
  routes: [{ contract: socketRoute, handle: () => null, connect: () => {} }],
});
await app.listen({ host: '127.0.0.1', port: 0 });
after(() => app.close());

test('a handshake that is none is refused in JSON', async () => {
  for (const headers of [
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13',
  ]) {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n\r\n`,
    );
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { detail: string };
    assert.match(body.detail, /^This is no WebSocket handshake: /);
  }
});
