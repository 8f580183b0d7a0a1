import assert from 'node:assert/strict';
import http from 'node:http';
import { type TestContext, test } from 'node:test';
import { listen } from '../../../test/support/oauth/listen.ts';
import { ADDRESS_REFUSED, createOutgoing, type OutgoingOptions } from './outgoing.ts';

async function startServer(t: TestContext) {
  let requests = 0;
  const server = await listen(async () => (_request, response) => {
    requests += 1;
    response.end('hello');
  });
  t.after(() => server.close());
  return { port: new URL(server.url).port, requests: () => requests };
}

function openWay(t: TestContext, options: OutgoingOptions) {
  const outgoing = createOutgoing(options);
  t.after(() => outgoing.close());
  return (url: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      http
        .get(url, { agent: outgoing.httpAgent }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject);
    });
}

const names = (addresses: Record<string, string[]>) => async (hostname: string) =>
  (addresses[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const hosts = [
  '127.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'localhost',
  'localhost.',
  'bucket.localhost',
  '2130706433',
];

test('the own network is reached where that is admitted', async (t) => {
  const server = await startServer(t);
  const get = openWay(t, { privateEndpoints: 'admitted' });
  for (const host of ['127.0.0.1', 'localhost', 'localhost.', 'bucket.localhost'])
    assert.equal(await get(`http://${host}:${server.port}/`), 200, host);
});

test('else it is not connected to, under whatever name, and the error names the setting', async (t) => {
  const server = await startServer(t);
  const get = openWay(t, { privateEndpoints: 'on_request' });
  for (const host of hosts) {
    await assert.rejects(get(`http://${host}:${server.port}/`), (error: NodeJS.ErrnoException) => {
      assert.equal(error.code, ADDRESS_REFUSED, host);
      assert.match(error.message, /ALLOW_PRIVATE_ENDPOINTS=true/);
      return true;
    });
  }
  assert.equal(server.requests(), 0);
});

test('the cloud names no setting, and no address', async (t) => {
  const get = openWay(t, {
    privateEndpoints: 'refused',
    resolve: names({ 'inside.example': ['10.1.2.3'] }),
  });
  await assert.rejects(get('http://inside.example/'), (error: Error) => {
    assert.match(error.message, /inside\.example leads to a private address/);
    assert.doesNotMatch(error.message, /ALLOW_PRIVATE|10\.1/);
    return true;
  });
});

test('a name with one private address among public ones is refused, and metadata services always', async (t) => {
  const resolve = names({
    'mixed.example': ['93.184.216.34', '127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
    'mapped.example': ['::ffff:169.254.169.254'],
  });
  const [careful, open] = [
    openWay(t, { privateEndpoints: 'on_request', resolve }),
    openWay(t, { privateEndpoints: 'admitted', resolve }),
  ];
  await assert.rejects(careful('http://mixed.example/'), { code: ADDRESS_REFUSED });
  for (const host of ['metadata.example', 'mapped.example', '169.254.169.254', '0.0.0.0'])
    await assert.rejects(open(`http://${host}/`), { code: ADDRESS_REFUSED }, host);
});

test('a name is looked at each time it is connected to', async (t) => {
  const server = await startServer(t);
  let address = '127.0.0.1';
  const outgoing = createOutgoing({
    privateEndpoints: 'admitted',
    resolve: async () => [{ address, family: 4 }],
  });
  t.after(() => outgoing.close());
  const get = (path: string) =>
    new Promise((resolve, reject) => {
      http
        .get(
          `http://rebound.example:${server.port}${path}`,
          { agent: outgoing.httpAgent, headers: { connection: 'close' } },
          resolve,
        )
        .on('error', reject);
    });
  await get('/');
  address = '169.254.169.254';
  await assert.rejects(get('/'), { code: ADDRESS_REFUSED });
});
