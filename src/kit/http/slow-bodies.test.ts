import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { contract } from '../contract.ts';
import { route } from '../route.ts';
import { createServer } from './server.ts';

const base = { auth: 'none', tag: 'Test', summary: 'Test', reply: Type.Unknown() } as const;
const takesJson = contract('POST /json', { ...base, name: 'takes_json', body: Type.Unknown() });
const takesBytes = contract('POST /bytes', {
  ...base,
  name: 'takes_bytes',
  stream: { mediaType: 'application/octet-stream', description: 'Bytes' },
});

const app = await createServer({
  ...BARE_SERVER,
  // One piece of the steady sender is enough for a window: a machine that stalls may let no more through.
  bodyPace: { jsonMs: 200, windowMs: 200, leastBytes: 20 },
  routes: [
    route(takesJson, ({ body }) => body),
    route(takesBytes, async ({ stream }) => ({ bytes: stream ? (await buffer(stream)).length : 0 })),
  ],
});
await app.listen({ host: '127.0.0.1', port: 0 });
after(() => app.close());

function begin(path: string, type: string, length: number): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  return socket;
}

/** Sends pieces until all are sent or the server ends the connection; resolves to the reply and their number. */
async function trickle(socket: Socket, piece: string, times: number, everyMs: number) {
  let answer = '';
  // A write after the server has closed may fail; the reply has arrived before.
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let sent = 0;
  for (; sent < times && socket.writable; sent += 1) {
    socket.write(piece);
    await pause(everyMs);
  }
  if (socket.writable) socket.end();
  await closed;
  return { answer, sent };
}

test('a body of JSON that trickles in is refused, and the connection ends', async () => {
  const { answer } = await trickle(begin('/json', 'application/json', 1_000), ' ', 1_000, 20);
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /"code":"too_slow"/);
});

test('other bodies may take long, above a least pace', async () => {
  const steady = await trickle(begin('/bytes', 'application/octet-stream', 1_000), 'x'.repeat(20), 50, 20);
  assert.match(steady.answer, /^HTTP\/1\.1 200 [\s\S]*\{"bytes":1000\}$/);
  const slow = await trickle(begin('/bytes', 'application/octet-stream', 1_000), 'x', 1_000, 20);
  assert.match(slow.answer, /^HTTP\/1\.1 408 /);
});

test('what trickles in behind an answer ends with the connection', async () => {
  const { answer, sent } = await trickle(begin('/json', 'text/plain', 1_000), 'x', 1_000, 20);
  assert.match(answer, /^HTTP\/1\.1 415 /);
  assert.ok(sent < 1_000, 'the server took all of it');
});
