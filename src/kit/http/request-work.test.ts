import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { until } from '../../../test/support/until.ts';
import { contract } from '../contract.ts';
import { route } from '../route.ts';
import { createServer } from './server.ts';

const begin = contract('POST /begin', {
  name: 'begin',
  auth: 'none',
  tag: 'Test',
  summary: 'Begins what goes on after the answer',
  memory: 100,
  reply: Type.Object({}),
});

test('what is reserved for a request stays reserved for the work that goes on after its answer', async () => {
  const work = Promise.withResolvers<void>();
  let held = 0;
  const app = await createServer({
    ...BARE_SERVER,
    async holdBytes(_tenantId, bytes) {
      held += bytes;
      return () => {
        held -= bytes;
      };
    },
    routes: [
      route(begin, async ({ goesOn, holdBytes }) => {
        await holdBytes(50);
        goesOn(work.promise);
        return {};
      }),
    ],
  });
  try {
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const reply = await fetch(`http://127.0.0.1:${port}/begin`, { method: 'POST' });
    assert.deepEqual([reply.status, await reply.json(), held], [200, {}, 150]);
    work.reject(new Error('it came to nothing'));
    await until(() => held === 0);
  } finally {
    await app.close();
  }
});
