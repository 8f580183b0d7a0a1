import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { listen } from '../../../test/support/oauth/listen.ts';
import { until } from '../../../test/support/until.ts';
import { createDownloads, type DownloadReply } from './downloads.ts';
import type { PrivateEndpoints } from './outgoing.ts';

async function start(
  t: TestContext,
  answer: RequestListener,
  privateEndpoints: PrivateEndpoints = 'admitted',
) {
  const server = await listen(async () => answer);
  const downloads = createDownloads({ privateEndpoints });
  t.after(() => downloads.close());
  t.after(() => server.close());
  const get = <Result>(read: (reply: DownloadReply) => Promise<Result>, withinMs = 60_000) =>
    downloads.get({ url: server.url, withinMs }, read);
  return { get };
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('a reply has its status, its tag and its bytes', async (t) => {
  const { get } = await start(t, ({ headers }, response) => {
    response.writeHead(203, { etag: '"one"' }).end(`asked for ${headers['accept-encoding']}`);
  });
  const reply = await get(async ({ status, etag, bytes }) => [status, etag, String(await whole(bytes()))]);
  assert.deepEqual(reply, [203, '"one"', 'asked for identity']);
});

test('what was compressed unasked can be read either way', async (t) => {
  const packed = gzipSync('hello');
  const { get } = await start(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  });
  assert.deepEqual(await get(({ bytes }) => whole(bytes())), packed);
  assert.equal(String(await get(({ content }) => whole(content()))), 'hello');
});

test('a redirect is a reply like others, and nobody is asked there', async (t) => {
  let asked = 0;
  const other = await listen(async () => (_request, response) => {
    asked += 1;
    response.end();
  });
  t.after(() => other.close());
  const { get } = await start(t, (_request, response) => {
    response.writeHead(302, { location: other.url }).end();
  });
  assert.equal(await get(async ({ status }) => status), 302);
  assert.equal(asked, 0);
});

test('who does not answer, or not to the end, is left when the time is over', async (t) => {
  let left = 0;
  const gone = () => {
    left += 1;
  };
  const silent = await start(t, (_request, response) => response.on('close', gone));
  await assert.rejects(
    silent.get(async () => {}, 100),
    { code: 'too_slow', message: /no whole answer within 0.1 seconds/ },
  );
  const trickling = await start(t, (_request, response) => {
    response.on('close', gone);
    const more = () => {
      if (response.destroyed) return;
      response.write('x');
      setImmediate(more);
    };
    more();
  });
  await assert.rejects(
    trickling.get(({ bytes }) => whole(bytes()), 200),
    { code: 'too_slow' },
  );
  await until(() => left === 2);
});

test('a reply that breaks off fails, however it is read', async (t) => {
  const { get } = await start(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('only so much');
    response.socket?.end();
  });
  await assert.rejects(
    get(({ bytes }) => whole(bytes())),
    { code: 'failed', message: 'the connection failed' },
  );
  const compressed = await start(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello').subarray(0, 15));
  });
  await assert.rejects(
    compressed.get(({ content }) => whole(content())),
    { code: 'failed' },
  );
});

test('a fault of the reader is passed on, and the rest of the reply is left', async (t) => {
  let isLeft = false;
  const { get } = await start(t, (_request, response) => {
    response.on('close', () => {
      isLeft = true;
    });
    response.write('begun');
  });
  await assert.rejects(
    get(async () => {
      throw new Error('the disk is full');
    }),
    /^Error: the disk is full$/,
  );
  await until(() => isLeft);
});

test('a private address is not asked where that is not allowed', async (t) => {
  let asked = 0;
  const answer = () => {
    asked += 1;
  };
  const { get } = await start(t, answer, 'on_request');
  await assert.rejects(
    get(async () => {}),
    { code: 'refused', message: /ALLOW_PRIVATE_ENDPOINTS=true/ },
  );
  assert.equal(asked, 0);
});
