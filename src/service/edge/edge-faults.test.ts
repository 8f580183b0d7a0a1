import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import {
  closeOf,
  echo,
  echoOf,
  type FakeService,
  NOBODY,
  startEdge,
  startFake,
  tell,
  withCore,
} from '../../../test/support/edge.ts';

describe('a service that does not answer', () => {
  const refusal = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
    status,
    body.code,
  ];

  test('refuses: 503 and when to come again', async (t) => {
    const { url } = await withCore(t, echo, { coreUrls: [NOBODY] });
    const told = await tell(url, { method: 'POST', body: 'x' });
    assert.deepEqual(refusal(told), [503, 'upstream_unavailable']);
    assert.equal(told.headers['retry-after'], '5');
    assert.match(String(told.body.detail), /core/);
  });

  test('ends the connection: 502', async (t) => {
    const { url, core } = await withCore(t, (request) => void request.socket.destroy());
    assert.deepEqual(refusal(await tell(url, { method: 'POST', body: 'x' })), [502, 'upstream_failed']);
    assert.equal(core.count(), 1);
  });

  test('answers what is no HTTP, or with headers beyond all measure: 502', async (t) => {
    const { url } = await withCore(t, (request) => void request.socket.end('hello\r\n\r\n'));
    assert.deepEqual(refusal(await tell(url, { method: 'POST' })), [502, 'upstream_failed']);
    const other = await withCore(t, (_request, response) => {
      response.setHeader('x-long', 'x'.repeat(20_000)).end();
    });
    assert.deepEqual(refusal(await tell(other.url)), [502, 'upstream_failed']);
  });

  test('says nothing: 503, and the service is told that nobody waits', async (t) => {
    const asked = Promise.withResolvers<IncomingMessage>();
    const { url } = await withCore(t, (request) => asked.resolve(request), {
      timeouts: { connect: 5_000, idle: 50 },
    });
    const [told, message] = await Promise.all([tell(url), asked.promise]);
    assert.deepEqual(refusal(told), [503, 'upstream_timeout']);
    await closeOf(message);
  });

  test('accounts that stand still are given up sooner than a core that works', async (t) => {
    const accounts = await startFake(() => {});
    t.after(accounts.close);
    const edge = await startEdge({
      accountsUrl: accounts.url,
      coreUrls: [NOBODY],
      timeouts: { accountsIdle: 50 },
    });
    t.after(edge.close);
    const told = await tell(`${edge.url}/api/auth/login`, { method: 'POST', body: '{}' });
    assert.deepEqual(refusal(told), [503, 'upstream_timeout']);
    assert.ok(Number(told.headers['retry-after']) > 0);
  });

  test('does not take the connection: 503', async (t) => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.after(() => silent.close());
    const { port } = silent.address() as { port: number };
    const { url } = await withCore(t, echo, {
      coreUrls: [`https://127.0.0.1:${port}`],
      timeouts: { connect: 50, idle: 5_000 },
    });
    assert.deepEqual(refusal(await tell(url)), [503, 'upstream_unreachable']);
  });

  test('leaves the edge healthy, and not ready', async (t) => {
    const { edge, core } = await withCore(t, echo);
    const { status, body } = await tell(`${edge.url}/readyz`);
    assert.deepEqual([status, body.waiting_for], [503, ['accounts']]);
    assert.equal(core.count(), 1);
    assert.equal((await tell(`${edge.url}/health`)).status, 200);
    assert.equal((await tell(`${edge.url}/livez`)).status, 200);
  });
});

describe('several cores', () => {
  async function withCores(t: TestContext, handlers: readonly RequestListener[]) {
    const cores = await Promise.all(handlers.map(startFake));
    const edge = await startEdge({ coreUrls: cores.map((core) => core.url) });
    t.after(async () => {
      await Promise.all(cores.map((core) => core.close()));
      await edge.close();
    });
    return { cores: cores as [FakeService, FakeService], edge, url: `${edge.url}/api/things` };
  }
  const statuses = async (count: number, ask: () => Promise<{ status: number }>): Promise<number[]> => {
    const seen = new Set<number>();
    for (let each = 0; each < count; each += 1) seen.add((await ask()).status);
    return [...seen];
  };

  test('share the requests', async (t) => {
    const { cores, url } = await withCores(t, [echo, echo]);
    await statuses(10, () => tell(url));
    assert.deepEqual(
      cores.map((core) => core.count()),
      [5, 5],
    );
  });

  test('one is killed and nobody notices; once it is back it gets its share again', async (t) => {
    const { cores, edge, url } = await withCores(t, [echo, echo]);
    const post = () => tell(url, { method: 'POST', body: 'x'.repeat(200_000) });
    assert.deepEqual(await statuses(4, post), [200]);
    await cores[0].close();
    assert.deepEqual(await statuses(6, post), [200]);
    await cores[0].reopen();
    const before = cores[0].count();
    assert.deepEqual(await statuses(4, post), [200]);
    assert.equal(cores[0].count(), before, 'left out for a while');
    edge.clock.pass(5_001);
    assert.deepEqual(await statuses(4, post), [200]);
    assert.equal(cores[0].count(), before + 2);
  });

  const cut: RequestListener = (request) => {
    request.resume().once('end', () => request.socket.destroy());
  };

  test('one ends the connection: what may be repeated is, body and all', async (t) => {
    const { cores, url } = await withCores(t, [cut, echo]);
    for (const method of ['GET', 'PUT', 'DELETE', 'GET', 'PUT']) {
      const body = method === 'GET' ? '' : 'the body';
      const told = await tell(url, { method, headers: { 'content-length': String(body.length) }, body });
      assert.deepEqual([told.status, echoOf(told).method, echoOf(told).body], [200, method, body]);
    }
    assert.ok(cores[0].count() > 0);
  });

  test('one ends the connection: what may not be repeated is 502', async (t) => {
    const { url } = await withCores(t, [cut, cut]);
    assert.equal((await tell(url)).status, 502, 'both end it');
    const other = await withCores(t, [cut, echo]);
    const once412 = { method: 'PUT', headers: { 'if-match': '"1"', 'content-length': '1' }, body: 'x' };
    for (const asking of [{ method: 'POST', body: 'x' }, once412]) {
      const found = [(await tell(other.url, asking)).status, (await tell(other.url, asking)).status];
      assert.deepEqual(found.sort(), [200, 502]);
    }
  });

  test('a connection that was kept and has ended is no failure', async (t) => {
    const { url } = await withCore(t, (request, response) => {
      const { socket } = request as { socket: { used?: boolean } & IncomingMessage['socket'] };
      if (socket.used) return void socket.destroy();
      socket.used = true;
      echo(request, response);
    });
    assert.deepEqual(await statuses(5, () => tell(url)), [200]);
  });
});
