import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationsServer } from '../../../test/support/operations.ts';

const works = async () => {};
const fails = async () => {
  throw new Error('connection refused by 10.0.0.7');
};
const hangs = () => new Promise<never>(() => {});

test('health answers alike at both addresses, without a token', async () => {
  const app = await operationsServer();
  for (const url of ['/health', '/api/health']) {
    const reply = await app.inject({ url });
    assert.equal(reply.statusCode, 200);
    assert.deepEqual(reply.json(), {
      status: 'healthy',
      entity_count: 3,
      entity_types: ['character', 'location'],
    });
  }
});

test('health says 503 when the database fails, without its words', async () => {
  const app = await operationsServer({ countEntities: fails });
  const reply = await app.inject({ url: '/health' });
  assert.equal(reply.statusCode, 503);
  assert.equal(reply.headers['retry-after'], '5');
  assert.deepEqual(reply.json(), {
    detail: 'The database does not answer',
    code: 'unavailable',
    status: 'unhealthy',
  });
});

test('health says 503 within a second or so when the database hangs, and asks it once', async () => {
  let asked = 0;
  const countEntities = () => {
    asked += 1;
    return hangs();
  };
  const app = await operationsServer({ countEntities });
  const started = performance.now();
  const replies = await Promise.all([1, 2, 3].map(() => app.inject({ url: '/health' })));
  // Much more than the one-second limit: the machine may be busy.
  assert.ok(performance.now() - started < 10_000);
  assert.deepEqual(
    replies.map((reply) => reply.statusCode),
    [503, 503, 503],
  );
  assert.equal(asked, 1);
});

test('health recovers when a database that hung returns', async () => {
  let isFrozen = true;
  const app = await operationsServer({ countEntities: async () => (isFrozen ? hangs() : 7) });
  assert.equal((await app.inject({ url: '/health' })).statusCode, 503);
  isFrozen = false;
  assert.equal((await app.inject({ url: '/health' })).json().entity_count, 7);
});

test('health recovers with the database', async () => {
  let isDown = true;
  const app = await operationsServer({ countEntities: async () => (isDown ? fails() : 7) });
  assert.equal((await app.inject({ url: '/health' })).statusCode, 503);
  isDown = false;
  assert.equal((await app.inject({ url: '/health' })).json().entity_count, 7);
});

test('the state of services comes from probes', async () => {
  const app = await operationsServer({
    probes: { database: works, storage: fails, cache: hangs },
    keepsVectors: true,
  });
  const reply = await app.inject({ url: '/api/services/health' });
  assert.equal(reply.statusCode, 200);
  assert.deepEqual(reply.json(), {
    backend: 'healthy',
    database: 'connected',
    ai_service: 'not_configured',
    storage: 'inaccessible',
    cache: 'unavailable',
    vector_store: 'connected',
    accounts: 'not_configured',
    events: 'not_configured',
  });
});

test('where another service knows people, its state is told and holds nothing up', async () => {
  const probes = { database: works, storage: works, cache: works, accounts: fails };
  const app = await operationsServer({ probes });
  assert.equal((await app.inject({ url: '/api/services/health' })).json().accounts, 'unavailable');
  assert.equal((await app.inject({ url: '/readyz' })).statusCode, 200);
});

test('a probe that throws at once counts as down', async () => {
  const broken = () => {
    throw new Error('closed');
  };
  const app = await operationsServer({ probes: { database: broken, storage: works, cache: works } });
  assert.equal((await app.inject({ url: '/api/services/health' })).json().database, 'unavailable');
});

test('readiness needs database and storage, not the cache; liveness needs nothing', async () => {
  const withoutCache = await operationsServer({ probes: { database: works, storage: works, cache: fails } });
  assert.deepEqual((await withoutCache.inject({ url: '/readyz' })).json(), { status: 'ready' });
  const app = await operationsServer({ probes: { database: fails, storage: fails, cache: works } });
  const reply = await app.inject({ url: '/readyz' });
  assert.equal(reply.statusCode, 503);
  assert.equal(reply.json().detail, 'Not ready: no answer from database and storage');
  assert.deepEqual(reply.json().waiting_for, ['database', 'storage']);
  assert.equal((await app.inject({ url: '/livez' })).statusCode, 200);
});

test('a core is ready once its content was compared', async () => {
  let isCompared = false;
  const app = await operationsServer({ isCompared: () => isCompared });
  const waiting = await app.inject({ url: '/readyz' });
  assert.equal(waiting.statusCode, 503);
  assert.deepEqual(waiting.json().waiting_for, ['content']);
  isCompared = true;
  assert.equal((await app.inject({ url: '/readyz' })).statusCode, 200);
});
