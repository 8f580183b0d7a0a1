import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Type } from 'typebox';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { contract } from '../contract.ts';
import { route } from '../route.ts';
import { createServer } from './server.ts';

const work = contract('POST /work', {
  name: 'work',
  auth: 'none',
  tag: 'Test',
  summary: 'Works until the caller goes',
  query: Type.Object({ quick: Type.Optional(Type.String()) }),
  reply: Type.Object({}),
});

let signal: AbortSignal | undefined;
const begun = Promise.withResolvers<void>();
const app = await createServer({
  ...BARE_SERVER,
  routes: [
    route(work, async ({ query, callerGone }) => {
      signal = callerGone();
      begun.resolve();
      if (query.quick === undefined) await once(signal, 'abort');
      return {};
    }),
  ],
});
await app.listen({ host: '127.0.0.1', port: 0 });
after(() => app.close());
const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/work`;

test('work for a reply stops when nobody waits for it any more', async () => {
  const leaving = new AbortController();
  const asked = fetch(address, { method: 'POST', signal: leaving.signal });
  await begun.promise;
  assert.equal(signal?.aborted, false);
  leaving.abort();
  await assert.rejects(asked);
  if (signal?.aborted === false) await once(signal, 'abort');
  assert.match(String(signal?.reason), /the caller has gone/);
});

test('a complete reply is no departure', async () => {
  const reply = await fetch(`${address}?quick=1`, { method: 'POST', headers: { connection: 'close' } });
  assert.deepEqual(await reply.json(), {});
  assert.equal(signal?.aborted, false);
});
