import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLog } from '../log.ts';
import { type ConnectionPace, createServer } from './server.ts';

async function serve(connectionPace?: ConnectionPace) {
  const app = await createServer({
    log: silentLog,
    authenticate: () => Promise.reject(new Error('nobody signs in here')),
    rateLimit: () => null,
    anonymous: { tenantId: 'local', plan: 'free' },
    corsOrigins: [],
    trustedProxies: [],
    verifyReplies: false,
    ...(connectionPace && { connectionPace }),
    routes: [],
  });
  after(() => app.close());
  return app;
}

const hasty = await serve({ headersMs: 100, checkMs: 50, idleMs: 100 });
await hasty.listen({ host: '127.0.0.1', port: 0 });

/** Sends the text, and its rest now and then, until the server ends the connection; resolves to what was answered. */
async function untilEnded(text: string, rest = ''): Promise<string> {
  const socket = connect((hasty.server.address() as AddressInfo).port, '127.0.0.1');
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

const ASK = 'GET /nothing HTTP/1.1\r\nHost: localhost\r\n';

test('headers that do not come, or trickle in, end with the connection', { timeout: 60_000 }, async () => {
  for (const [text, rest] of [[''], [ASK], [ASK, 'X-More: yes\r\n']] as const)
    assert.match(await untilEnded(text, rest), /^HTTP\/1\.1 408 /, text);
});

test('a connection is not kept for ever for its next request', { timeout: 60_000 }, async () => {
  assert.match(await untilEnded(`${ASK}\r\n`), /^HTTP\/1\.1 404 [\s\S]*\}$/);
  assert.match(await untilEnded(`${ASK}\r\n${ASK}`), /^HTTP\/1\.1 404 [\s\S]*HTTP\/1\.1 408 /);
});

test('unless said otherwise, both end within a minute', async () => {
  const { headersTimeout, keepAliveTimeout } = (await serve()).server;
  for (const limit of [headersTimeout, keepAliveTimeout]) assert.ok(limit > 0 && limit < 60_000, `${limit}`);
});
