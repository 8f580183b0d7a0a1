import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ADDRESS_REFUSED } from './outgoing.ts';
import { createReceivers, type ReceiversOptions } from './receivers.ts';

async function startServer(t: TestContext, handle: RequestListener) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, requests: () => requests };
}

function open(t: TestContext, options: Partial<ReceiversOptions> = {}) {
  const receivers = createReceivers({ privateEndpoints: 'admitted', ...options });
  t.after(() => receivers.close());
  const post = (url: string, signal = new AbortController().signal) =>
    receivers.post({ url, headers: {}, body: '{}', signal });
  return { ...receivers, post };
}

test('of a reply without end the beginning is read, and the sender is left', {
  timeout: 30_000,
}, async (t) => {
  let isLeft = false;
  const server = await startServer(t, (_request, response) => {
    response.on('close', () => {
      isLeft = true;
    });
    const goOn = () => {
      while (!isLeft && response.write('x'.repeat(10_000)));
    };
    response.on('drain', goOn);
    goOn();
  });
  const { post } = open(t, { withinMs: 600_000 });
  const reply = await post(`http://127.0.0.1:${server.port}/`);
  assert.deepEqual([reply.status, reply.text.length], [200, 64 * 1024]);
});

test('a reply that stops in the middle counts by its status', async (t) => {
  const server = await startServer(t, (_request, response) => void response.writeHead(202).write('so far'));
  const reply = await open(t, { withinMs: 500 }).post(`http://127.0.0.1:${server.port}/`);
  assert.deepEqual([reply.status, reply.text], [202, 'so far']);
});

test('who never answers is left after a time, and whoever asks can leave earlier', async (t) => {
  const server = await startServer(t, () => {});
  const { post } = open(t, { withinMs: 300 });
  await assert.rejects(post(`http://127.0.0.1:${server.port}/`), /No answer within 0.3 seconds/);
  const patient = open(t);
  const leaving = AbortSignal.timeout(50);
  await assert.rejects(patient.post(`http://127.0.0.1:${server.port}/`, leaving), { name: 'AbortError' });
});

test('a name that changes its meaning after it was looked at reaches nothing private', async (t) => {
  const server = await startServer(t, (_request, response) => void response.end());
  let address = '93.184.216.34';
  const resolve = async () => [{ address, family: 4 }];
  const { post, refusalOf } = open(t, { privateEndpoints: 'refused', resolve });
  const url = `http://rebound.example:${server.port}/`;
  assert.equal(await refusalOf(new URL(url)), null);
  address = '127.0.0.1';
  await assert.rejects(post(url), { code: ADDRESS_REFUSED });
  assert.match((await refusalOf(new URL(url))) ?? '', /leads to a private address/);
  assert.equal(server.requests(), 0);
});

test('an address is looked at in whatever form it is written', async (t) => {
  const { refusalOf } = open(t, { privateEndpoints: 'on_request' });
  for (const host of ['127.0.0.1', '0x7f.1', '[::1]', '[::ffff:10.0.0.1]', 'localhost', 'hooks.localhost'])
    assert.match((await refusalOf(new URL(`http://${host}/`))) ?? '', /ALLOW_PRIVATE_ENDPOINTS/, host);
  assert.match((await refusalOf(new URL('http://169.254.169.254/'))) ?? '', /never used/);
  assert.equal(await refusalOf(new URL('http://93.184.216.34/')), null);
});
