import assert from 'node:assert/strict';
import { createServer as createRelay } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { BARE_SERVER } from '../../test/support/bare-server.ts';
import { openLedger } from '../../test/support/books.ts';
import { openTestSqlite } from '../../test/support/databases.ts';
import { creditLedgerConformance } from '../access/credits.conformance.ts';
import { createServer } from '../kit/http/server.ts';
import { internalCreditRoutes } from '../people/credits/internal-credits.routes.ts';
import { createCreditsClient } from './credits-client.ts';

const SERVICE_TOKEN = 'a token of services that is long enough for a test';
const LEASE_MS = 2 * 60_000;
const MIRA = { tenantId: 'one', userId: 'mira' };

async function serve(t: TestContext) {
  const opened = await openLedger(t, openTestSqlite);
  const app = await createServer({
    ...BARE_SERVER,
    serviceToken: SERVICE_TOKEN,
    verifyReplies: true,
    routes: internalCreditRoutes(opened.ledger),
  });
  t.after(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { ...opened, url, credits: createCreditsClient({ url, serviceToken: SERVICE_TOKEN }) };
}

describe('the ledger over HTTP', () => {
  creditLedgerConformance(async (t) => {
    const { credits, others, clock } = await serve(t);
    return {
      credits,
      others,
      available: async () => (await others.look('one', 'mira')).balance,
      passLease: () => clock.pass(LEASE_MS),
      passHalfLease: () => clock.pass(LEASE_MS * 0.6),
    };
  });
});

test('a call whose connection is lost is made once more, and then it is a 503', async (t) => {
  const { url } = await serve(t);
  let lost = 0;
  const relay = createRelay((request, response) => {
    if (lost > 0) {
      lost -= 1;
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const headers = request.headers as Record<string, string>;
      const { authorization = '', 'content-type': type = '' } = headers;
      const reply = await fetch(`${url}${request.url}`, {
        method: 'POST',
        headers: { authorization, 'content-type': type },
        body: Buffer.concat(chunks),
      });
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  t.after(() => relay.close());
  const { port } = relay.address() as AddressInfo;
  const credits = createCreditsClient({ url: `http://127.0.0.1:${port}`, serviceToken: SERVICE_TOKEN });
  lost = 1;
  const reply = await credits.reserve(MIRA, 5, { id: 'a', kind: 'ai_generate', provider: 'fast' });
  assert.ok(reply.outcome === 'reserved');
  assert.deepEqual(reply.reservation.operation, { id: 'a', kind: 'ai_generate', provider: 'fast' });
  lost = 2;
  await assert.rejects(credits.settle(reply.reservation, 5), { status: 503 });
});

test('a quota that refuses is told to the core', async (t) => {
  const { credits, ledger } = await serve(t);
  await ledger.setUserQuota('one', 'mira', 4);
  assert.deepEqual(await credits.reserve(MIRA, 5, { id: 'a', kind: 'ai_generate' }), {
    outcome: 'refused',
    needed: 5,
    available: 4,
    reason: 'user_quota',
    balance: 100,
  });
});
