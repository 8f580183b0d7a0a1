import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { until } from '../../../test/support/until.ts';
import { contract } from '../contract.ts';
import { route } from '../route.ts';
import { type ConnectionPace, createServer } from './server.ts';

const sockets = contract('GET /ws', {
  name: 'sockets',
  auth: 'ws',
  tag: 'Test',
  summary: 'A WebSocket',
  reply: Type.Unknown(),
});

/** More than systems buffer for a caller who does not read. */
const LARGE = 30_000_000;
const large = contract('GET /large', {
  name: 'large',
  auth: 'none',
  tag: 'Test',
  summary: 'A large reply',
  reply: Type.String(),
});

async function serve(connectionPace?: ConnectionPace) {
  const app = await createServer({
    ...BARE_SERVER,
    ...(connectionPace && { connectionPace }),
    routes: [
      { contract: sockets, handle: () => null, connect: () => {} },
      route(large, () => 'x'.repeat(LARGE)),
    ],
  });
  after(() => app.close());
  return app;
}

const hasty = await serve({ headersMs: 100, idleMs: 100, stalledMs: 1_000, checkMs: 50 });
await hasty.listen({ host: '127.0.0.1', port: 0 });

const addressOf = ({ server }: FastifyInstance) => ({
  host: '127.0.0.1',
  port: (server.address() as AddressInfo).port,
});

/** Sends the text, and `rest` now and then, until the server ends the connection; resolves to the reply. */
async function untilEnded(text: string, rest = ''): Promise<string> {
  const socket = connect(addressOf(hasty));
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text);
  while (rest !== '' && socket.writable) {
    socket.write(rest);
    await pause(10);
  }
  await closed;
  return answer;
}

const connections = () =>
  new Promise<number>((resolve) => hasty.server.getConnections((_error, open) => resolve(open)));

const LARGE_ASK = 'GET /large HTTP/1.1\r\nHost: localhost\r\n';
const ASK = 'GET /nothing HTTP/1.1\r\nHost: localhost\r\n';

test('headers that do not come, or trickle in, end with the connection', { timeout: 60_000 }, async () => {
  for (const [text, rest] of [[''], [ASK], [ASK, 'X-More: yes\r\n']] as const)
    assert.match(await untilEnded(text, rest), /^HTTP\/1\.1 408 /, text);
});

test('a connection is not kept for ever for its next request', { timeout: 60_000 }, async () => {
  assert.match(await untilEnded(`${ASK}\r\n`), /^HTTP\/1\.1 404 [\s\S]*\}$/);
  assert.match(await untilEnded(`${ASK}\r\n${ASK}`), /^HTTP\/1\.1 404 [\s\S]*HTTP\/1\.1 408 /);
});

test('a connection that its caller leaves half open is not kept', async (t) => {
  const upgrade = 'Connection: upgrade\r\nUpgrade: websocket\r\n\r\n';
  const chunked =
    'POST /json HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (const text of [
    ASK,
    'nonsense\r\n\r\n',
    `${chunked}zz\r\n`,
    `${ASK}${upgrade}`,
    `GET /ws${ASK.slice(12)}${upgrade}`,
  ]) {
    const caller = connect({ ...addressOf(hasty), allowHalfOpen: true });
    t.after(() => caller.destroy());
    caller.write(text);
    const answered = once(caller, 'end');
    caller.resume();
    await answered;
  }
  await until(async () => (await connections()) === 0);
});

test('a reply that nobody reads ends with its connection, one that is read slowly does not', async (t) => {
  const idle = connect(addressOf(hasty));
  t.after(() => idle.destroy());
  idle.on('error', () => {});
  idle.write(`${LARGE_ASK}\r\n`);
  await until(async () => (await connections()) === 1);
  await until(async () => (await connections()) === 0);
  const reader = connect(addressOf(hasty));
  reader.write(`${LARGE_ASK}Connection: close\r\n\r\n`);
  let came = 0;
  for await (const piece of reader) {
    const before = came;
    came += (piece as Buffer).length;
    if (Math.floor(before / 500_000) < Math.floor(came / 500_000)) await pause(50);
  }
  assert.ok(came > LARGE);
});

test('unless said otherwise, both end within a minute', async () => {
  const { headersTimeout, keepAliveTimeout } = (await serve()).server;
  for (const limit of [headersTimeout, keepAliveTimeout]) assert.ok(limit > 0 && limit < 60_000, `${limit}`);
});
