import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { cliWorld } from './support/cli.ts';
import { startCore } from './support/core.ts';
import { startDesktop } from './support/desktop.ts';
import { startEdge, tell } from './support/edge.ts';
import { sampleRequest } from './support/sample-request.ts';
import { socketAddress } from './support/sockets.ts';

const desktop = await startDesktop();
const core = await startCore();
after(() => Promise.all([desktop.close(), core.close()]));

const own = desktop.contracts.filter(({ tag }) => tag === 'Desktop');
const samples = own.map((contract) => ({ contract, request: sampleRequest(contract) }));

test('every route of the install answers programs of this machine without a token', async () => {
  assert.equal(own.length, 25);
  for (const { contract, request } of samples) {
    if (contract.method !== 'GET') continue;
    const reply = await desktop.app.inject(request);
    assert.equal(reply.statusCode, 200, `${contract.path}: ${reply.body}`);
  }
});

test('nobody is let in by a foreign name, nor from the page of another site', async () => {
  const foreign = [
    { host: 'evil.example' },
    { host: 'evil.example:80', origin: 'http://evil.example:80' },
    { host: 'localhost.evil.example' },
    { host: 'localhost', origin: 'https://evil.example' },
    { host: 'localhost', origin: 'null' },
    { host: 'localhost', origin: 'http://localhost:3000' },
    { host: '127.0.0.1', origin: 'http://localhost' },
    { host: 'localhost', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { host: 'localhost', 'x-forwarded-host': 'localhost', origin: 'http://evil.example' },
  ];
  for (const { contract, request } of samples) {
    for (const headers of foreign) {
      const given = request.headers as Record<string, string>;
      const reply = await desktop.app.inject({ ...request, headers: { ...given, ...headers } });
      assert.equal(reply.statusCode, 403, `${contract.path} ${JSON.stringify(headers)}: ${reply.body}`);
      assert.match(reply.json<{ code: string }>().code, /^(foreign_host|cross_origin)$/);
    }
  }
  for (const url of ['/health', '/docs', '/openapi.json', '/api/search?q=a', '/nowhere'])
    assert.equal((await desktop.app.inject({ url, headers: { host: 'evil.example' } })).statusCode, 403, url);
  const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const asked = await desktop.app.inject({
    method: 'OPTIONS',
    url: '/api/desktop/projects',
    headers: preflight,
  });
  assert.equal(asked.statusCode, 403);
});

test('a page of the address itself, IPv6 included, is let in', async () => {
  for (const host of ['localhost:8000', '127.0.0.1:8000', '[::1]:8000']) {
    const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    const reply = await desktop.app.inject({ url: '/api/desktop/projects', headers });
    assert.equal(reply.statusCode, 200, host);
  }
});

test('no WebSocket is opened by a foreign name, or from the page of another site', async () => {
  const address = await socketAddress(desktop.app);
  const statusOf = async (headers: Record<string, string>): Promise<number> => {
    const peer = new WebSocket(address, { headers });
    peer.on('error', () => {});
    const opened = once(peer, 'open').then(() => 101);
    const refused = once(peer, 'unexpected-response').then(([, { statusCode }]) => statusCode as number);
    const status = await Promise.race([opened, refused]);
    peer.terminate();
    return status;
  };
  assert.equal(await statusOf({ host: 'evil.example' }), 403);
  assert.equal(await statusOf({ origin: 'https://evil.example' }), 403);
  const peer = new WebSocket(`${address}?token=${desktop.adminToken}`);
  const [message] = await once(peer, 'message');
  assert.match(String(message), /"type":"ready"/);
  peer.close();
});

test('on other surfaces there are no such routes', async () => {
  const url = await core.app.listen({ host: '127.0.0.1', port: 0 });
  const edge = await startEdge({ coreUrls: [url] });
  after(() => edge.close());
  for (const { contract, request } of samples) {
    const headers = { ...(request.headers as object), authorization: `Bearer ${core.adminToken}` };
    const direct = await core.app.inject({ ...request, headers });
    assert.equal(direct.statusCode, 404, contract.path);
    const through = await tell(`${edge.url}${request.url}`, {
      method: contract.method,
      headers: headers as Record<string, string>,
      ...(request.payload !== undefined && { body: String(request.payload) }),
    });
    assert.equal(through.status, 404, `${contract.path} by the edge`);
  }
});

test('an address that others reach ends the start', async (t) => {
  const world = cliWorld(t);
  for (const BIND_ADDR of ['0.0.0.0:0', '[::]:0']) {
    const { code, err } = await world.runWith(
      { env: { BIND_ADDR } },
      'serve',
      '--surface',
      'desktop',
      '--provision',
    );
    assert.equal(code, 2, err);
    assert.match(err, /^canonry: BIND_ADDR has the host .*loopback/);
    assert.equal(err.trim().split('\n').length, 1);
  }
});
