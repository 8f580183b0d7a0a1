import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { closeOf, echo, echoOf, openRequest, replyTo, tell, withCore } from '../../../test/support/edge.ts';

describe('a request at the edge', () => {
  test('reaches the service as it was sent', async (t) => {
    const { url } = await withCore(t, echo);
    const told = await tell(`${url}/a%20b?x=1&x=%2F`, {
      method: 'POST',
      headers: { 'content-type': 'text/x-own', authorization: 'Bearer t', cookie: 'a=1; b=2' },
      body: 'hello',
    });
    const { headers, ...rest } = echoOf(told);
    assert.deepEqual(rest, { method: 'POST', url: '/api/things/a%20b?x=1&x=%2F', body: 'hello' });
    assert.equal(headers['content-type'], 'text/x-own');
    assert.equal(headers.authorization, 'Bearer t');
    assert.equal(headers.cookie, 'a=1; b=2');
    assert.equal(headers['content-length'], '5');
  });

  test('carries nothing that is about the connection, and no length is ever lost', async (t) => {
    const { url } = await withCore(t, echo);
    const told = await tell(url, {
      method: 'GET',
      headers: {
        connection: 'x-mine, content-length, close',
        'x-mine': '1',
        te: 'trailers',
        'proxy-authorization': 'Basic x',
        'content-length': '21',
      },
      body: 'GET /other HTTP/1.1\r\n',
    });
    const { headers, body } = echoOf(told);
    assert.equal(body, 'GET /other HTTP/1.1\r\n');
    for (const name of ['x-mine', 'te', 'proxy-authorization']) assert.equal(headers[name], undefined, name);
  });

  test('says who asked, whatever the caller claims', async (t) => {
    const { edge, url } = await withCore(t, echo);
    const claims = {
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '1',
      'x-real-ip': '192.0.2.1',
      'x-request-id': 'claimed-by-caller',
      forwarded: 'for=192.0.2.1',
    };
    const told = await tell(url, { headers: claims });
    const { headers } = echoOf(told);
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers['x-forwarded-host'], new URL(edge.url).host);
    assert.equal(headers['x-forwarded-proto'], 'http');
    for (const name of ['x-forwarded-port', 'x-real-ip', 'forwarded']) assert.equal(headers[name], undefined);
    assert.notEqual(headers['x-request-id'], 'claimed-by-caller');
    assert.equal(told.headers['x-request-id'], headers['x-request-id']);
  });

  test('says what a trusted proxy in front of the edge says, and one address alone', async (t) => {
    const { url } = await withCore(t, echo, { env: { TRUSTED_PROXIES: 'loopback' } });
    const told = await tell(url, {
      headers: {
        host: 'inner:80',
        'x-forwarded-for': '203.0.113.9, 192.0.2.7',
        'x-forwarded-host': 'world.example.com',
        'x-forwarded-proto': 'https',
        'x-request-id': 'from-the-balancer',
      },
    });
    const { headers } = echoOf(told);
    assert.equal(headers['x-forwarded-for'], '192.0.2.7');
    assert.equal(headers['x-forwarded-host'], 'world.example.com');
    assert.equal(headers['x-forwarded-proto'], 'https');
    assert.equal(headers['x-request-id'], 'from-the-balancer');
    assert.equal(told.headers['x-request-id'], 'from-the-balancer');
  });

  test('with headers beyond all measure is 431', async (t) => {
    const { url, core } = await withCore(t, echo);
    assert.equal((await tell(url, { headers: { 'x-long': 'x'.repeat(20_000) } })).status, 431);
    assert.equal(core.count(), 0);
  });

  test('streams: the service has the first piece before the last one is sent', async (t) => {
    const first = Promise.withResolvers<string>();
    const { url } = await withCore(t, async (request, response) => {
      request.once('data', (piece: Buffer) => first.resolve(String(piece)));
      response.end(await text(request));
    });
    const request = openRequest(url, { method: 'POST' });
    const replied = replyTo(request);
    request.write('one ');
    assert.equal(await first.promise, 'one ');
    request.end('two');
    assert.equal(await text(await replied), 'one two');
  });

  test('of many megabytes arrives whole both ways', async (t) => {
    const { url } = await withCore(t, (request, response) => request.pipe(response));
    const bytes = randomBytes(24 * 1024 * 1024);
    const request = openRequest(url, { method: 'PUT' });
    const replied = replyTo(request);
    request.end(bytes);
    const hash = createHash('sha256');
    for await (const piece of await replied) hash.update(piece);
    assert.equal(hash.digest('hex'), createHash('sha256').update(bytes).digest('hex'));
  });

  test('ends at the service when the caller leaves, while it is answered or before', async (t) => {
    const seen: IncomingMessage[] = [];
    const { url, core } = await withCore(t, (request, response) => {
      seen.push(request);
      if (request.method === 'GET') response.write('one');
    });
    const getting = openRequest(url);
    getting.end();
    const reply = await replyTo(getting);
    await once(reply, 'data');
    const closed = closeOf(seen[0] as IncomingMessage);
    reply.destroy();
    await closed;
    const posting = openRequest(url, { method: 'POST' });
    posting.on('error', () => {});
    const came = once(core.server, 'request');
    posting.write('one');
    const [message] = (await came) as [IncomingMessage];
    const cut = closeOf(message);
    posting.destroy();
    await cut;
  });

  test('that is answered before it was read gets that answer', async (t) => {
    const { url } = await withCore(t, (_request, response) => {
      response.writeHead(413, { connection: 'close' }).end('too large');
    });
    const request = openRequest(url, { method: 'POST' });
    request.on('error', () => {});
    const replied = replyTo(request);
    for (let piece = 0; piece < 64; piece += 1) request.write(Buffer.alloc(65_536));
    const reply = await replied;
    assert.deepEqual([reply.statusCode, await text(reply)], [413, 'too large']);
    request.destroy();
  });
});

describe('a reply at the edge', () => {
  test('keeps each cookie and every header that is not about the connection', async (t) => {
    const { url } = await withCore(t, (_request, response) => {
      response.writeHead(206, 'Partial', {
        'set-cookie': ['a=1; Path=/', 'b=2; Path=/api'],
        'content-range': 'bytes 2-4/9',
        'keep-alive': 'timeout=9',
        connection: 'x-hop, keep-alive',
        'x-hop': '1',
        etag: '"x"',
      });
      response.end('cde');
    });
    const told = await tell(url, { headers: { range: 'bytes=2-4' } });
    assert.deepEqual([told.status, told.text], [206, 'cde']);
    assert.deepEqual(told.headers['set-cookie'], ['a=1; Path=/', 'b=2; Path=/api']);
    assert.equal(told.headers['content-range'], 'bytes 2-4/9');
    assert.equal(told.headers.etag, '"x"');
    assert.equal(told.headers['x-hop'], undefined);
  });

  test('streams: the caller has the first piece before the last one is made', async (t) => {
    const go = Promise.withResolvers<void>();
    const { url } = await withCore(t, async (_request, response) => {
      response.write('one ');
      await go.promise;
      response.end('two');
    });
    const request = openRequest(url);
    request.end();
    const reply = await replyTo(request);
    const [piece] = (await once(reply, 'data')) as [Buffer];
    assert.equal(String(piece), 'one ');
    go.resolve();
    assert.equal(await text(reply), 'two');
  });

  test('that the service cuts short is cut short for the caller', async (t) => {
    const { url } = await withCore(t, (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('one', () => response.destroy());
    });
    const request = openRequest(url);
    request.end();
    await assert.rejects(text(await replyTo(request)), { code: 'ECONNRESET' });
  });

  test('to HEAD has the headers alone', async (t) => {
    const { url } = await withCore(t, (_request, response) => {
      response.writeHead(200, { 'content-length': '7', etag: '"x"' }).end();
    });
    const told = await tell(url, { method: 'HEAD' });
    assert.deepEqual([told.headers['content-length'], told.headers.etag, told.text], ['7', '"x"', '']);
  });
});
