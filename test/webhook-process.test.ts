import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type OpenDatabase, openTestPostgres, openTestSqlite } from './support/databases.ts';
import { startServiceProcess } from './support/service-process.ts';
import { until } from './support/until.ts';
import { answering, startReceiver } from './support/webhook-receiver.ts';

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery', display_name: 'Admin' };
const CREATED = 20;

const databases: Record<string, OpenDatabase> = {
  SQLite: openTestSqlite,
  ...(process.env.CANONRY_TEST_POSTGRES !== 'off' && { PostgreSQL: openTestPostgres }),
};

// Concurrent, because most of the time goes into waiting for a killed worker's lease.
describe('what was answered before a kill is sent after it, and nothing that did not happen', {
  concurrency: true,
}, () => {
  for (const [name, open] of Object.entries(databases)) test(`on ${name}`, (t) => killAndSend(t, open));
});

async function killAndSend(t: TestContext, open: OpenDatabase): Promise<void> {
  const opened = await open();
  await opened.release();
  t.after(() => opened.close());
  const dataDir = mkdtempSync(join(tmpdir(), 'canonry-webhooks-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  // The sender is killed while it waits.
  receiver.answer(() => {});
  const env = { DATA_DIR: dataDir, DATABASE_URL: opened.url, ALLOW_PRIVATE_ENDPOINTS: 'true' };
  const first = await startServiceProcess(env);
  t.after(() => first.end('SIGKILL'));
  let token = '';
  const ask = async (url: string, method: string, path: string, body?: object) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    return fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
  const registered = await ask(first.url, 'POST', '/api/auth/register', ADMIN);
  ({ access_token: token } = (await registered.json()) as { access_token: string });
  const hook = { url: `${receiver.url}/hook`, events: ['entity_updated'], entity_types: ['character'] };
  assert.equal((await ask(first.url, 'POST', '/api/webhooks', hook)).status, 201);

  const acknowledged = new Set<string>();
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const ids = Array.from({ length: CREATED * 3 }, (_, index) => `created_${index}`);
  const creating = ids.map(async (entity_id) => {
    const reply = await ask(first.url, 'POST', '/api/entity/character', { entity_id, name: entity_id });
    if (reply.status === 201) acknowledged.add(entity_id);
    if (acknowledged.size >= CREATED) resolve();
  });
  const created = Promise.allSettled(creating);
  await enough;
  await first.end('SIGKILL');
  await created;

  receiver.answer(answering(204));
  receiver.received.length = 0;
  const second = await startServiceProcess(env);
  t.after(() => second.end('SIGKILL'));
  const sent = () => new Set(receiver.on('/hook').map(({ event }) => String(event.entity_id)));
  await until(async () => acknowledged.isSubsetOf(sent()));
  for (const id of sent())
    assert.equal((await ask(second.url, 'GET', `/api/entity/character/${id}`)).status, 200, id);
  const messages = Map.groupBy(receiver.on('/hook'), ({ event }) => event.entity_id);
  for (const [id, same] of messages)
    assert.equal(new Set(same.map(({ headers }) => headers['webhook-id'])).size, 1, String(id));
  assert.equal(await second.end('SIGTERM'), 0);
}
