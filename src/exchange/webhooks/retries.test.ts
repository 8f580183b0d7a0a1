import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Kysely } from 'kysely';
import { createTestClock } from '../../../test/support/auth.ts';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';
import { answering, type Receiver, startReceiver } from '../../../test/support/webhook-receiver.ts';
import { assetProcessed } from '../../world/assets/asset.events.ts';
import { logEvent } from '../../world/records/events.store.ts';
import type { DeliveryReply, WebhookReply } from './webhooks.contract.ts';

const HOUR_MS = 3_600_000;

forEachDatabase((_name, open) => {
  // It stands still, so that no second attempt comes before a test advances it.
  const clock = createTestClock(Date.now());
  let core: TestCore;
  let receiver: Receiver;
  /** Valid longer than the hours that tests skip. */
  let token: string;
  before(async () => {
    core = await startCore({
      open,
      clock,
      env: { ALLOW_PRIVATE_ENDPOINTS: 'true' },
      webhooks: { everyMs: 30, withinMs: 60_000 },
    });
    receiver = await startReceiver();
    const body = { name: 'tests', scopes: ['admin'] };
    const made = await core.call<{ key: string }>('POST', '/api/api-keys', { body });
    token = made.body.key;
    await core.mirror.whenSettled(await core.projects.open('local', 'default'));
  });
  after(async () => {
    // Closed first, so that the core waits for no response.
    await receiver.close();
    await core.close();
  });
  let webhook: WebhookReply;
  afterEach(async () => {
    await core.call('DELETE', `/api/webhooks/${webhook.webhook_id}`, { token });
    receiver.received.length = 0;
  });

  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const reply = await core.call<Body>(method, `/api/webhooks${path}`, { token, body });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const make = async (): Promise<void> => {
    webhook = await call<WebhookReply>('POST', '', { url: `${receiver.url}/hook` });
  };
  const now = () => call<WebhookReply>('GET', `/${webhook.webhook_id}`);
  const deliveries = async () =>
    (await call<{ deliveries: DeliveryReply[] }>('GET', `/${webhook.webhook_id}/deliveries`)).deliveries;
  const first = async (): Promise<DeliveryReply> => (await deliveries()).at(-1) ?? assert.fail('none');
  const create = async (entity_id: string): Promise<void> => {
    const body = { entity_id, name: entity_id };
    const reply = await core.call('POST', '/api/entity/character', { token, body });
    assert.equal(reply.status, 201, reply.text);
  };
  /** The clock may only advance while nothing is being sent. */
  const quiet = () =>
    until(async () => {
      const running = await core.database.system.read(
        (db: Kysely<{ jobs: { queue: string; state: string } }>) =>
          db
            .selectFrom('jobs')
            .select('state')
            .where('queue', 'in', ['webhooks', 'webhooks-slow'])
            .where('state', '=', 'running')
            .execute(),
      );
      return running.length === 0;
    });
  const tried = async (times: number): Promise<DeliveryReply> => {
    await until(async () => (await first()).attempts >= times);
    await quiet();
    return first();
  };
  const pass = async (milliseconds: number): Promise<void> => {
    await quiet();
    clock.pass(milliseconds);
  };
  const waitOf = ({ next_attempt_at, attempted_at }: DeliveryReply): number =>
    Date.parse(next_attempt_at ?? '') - Date.parse(attempted_at ?? '');

  test('what failed is sent again as the same message, and waits longer each time', async () => {
    receiver.answer(answering(500, {}, 'out of order'));
    await make();
    await create('patience');
    const one = await tried(1);
    assert.deepEqual([one.state, one.status, one.reply], ['waiting', 500, 'out of order']);
    assert.ok(waitOf(one) >= 4_000 && waitOf(one) <= 6_000, String(waitOf(one)));
    await pass(6_000);
    const two = await tried(2);
    assert.ok(waitOf(two) >= 16_000 && waitOf(two) <= 24_000, String(waitOf(two)));
    assert.equal((await now()).failures, 2);
    receiver.answer(answering(200));
    await pass(24_000);
    const last = await tried(3);
    assert.deepEqual([last.state, last.attempts, last.error], ['delivered', 3, null]);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal((await now()).failures, 0);
  });

  test('after a day of failures the webhook is disabled, says why, and goes on when it is enabled', async () => {
    receiver.answer(answering(503, {}, 'gone fishing'));
    await make();
    await create('lost');
    for (let attempts = 1; attempts < 10; attempts += 1) {
      const { state } = await tried(attempts);
      assert.equal(state, 'waiting', `after ${attempts}`);
      await pass(13 * HOUR_MS);
    }
    const last = await tried(10);
    assert.deepEqual([last.state, last.next_attempt_at], ['failed', null]);
    const disabled = await now();
    assert.equal(disabled.enabled, false);
    assert.match(
      disabled.disabled_reason ?? '',
      /took nothing in 10 attempts over \d+ hours\. It answered 503/,
    );
    await create('while_disabled');
    receiver.answer(answering(200));
    await call('PUT', `/${webhook.webhook_id}`, { enabled: true });
    await until(async () => receiver.on('/hook').at(-1)?.event.entity_id === 'while_disabled');
    const enabled = await now();
    assert.deepEqual([enabled.enabled, enabled.disabled_reason], [true, null]);
  });

  test('one event that is refused for ever fails alone', async () => {
    receiver.answer(
      (response, { event }) => void response.writeHead(event.entity_id === 'poison' ? 400 : 204).end(),
    );
    await make();
    await create('poison');
    for (let attempts = 1; attempts < 10; attempts += 1) {
      await tried(attempts);
      await pass(13 * HOUR_MS);
      if (attempts === 5) await create('fine');
    }
    const last = await tried(10);
    assert.equal(last.state, 'failed');
    assert.equal((await now()).enabled, true);
    const [fine] = await deliveries();
    assert.equal(fine?.state, 'delivered');
  });

  test('410 ends a webhook at once', async () => {
    receiver.answer(answering(410));
    await make();
    await create('gone');
    const { state } = await tried(1);
    assert.equal(state, 'failed');
    const { enabled, disabled_reason } = await now();
    assert.equal(enabled, false);
    assert.match(disabled_reason ?? '', /410: it wants no more/);
  });

  test('Retry-After holds back everything for that receiver', async () => {
    receiver.answer(answering(429, { 'retry-after': '3600' }));
    await make();
    await create('busy');
    const one = await tried(1);
    assert.equal(waitOf(one), HOUR_MS);
    receiver.answer(answering(204));
    await create('behind');
    await until(async () => (await deliveries()).length === 2);
    await pass(HOUR_MS / 2);
    await create('further_behind');
    await until(async () => (await deliveries()).length === 3);
    assert.equal(receiver.received.length, 1);
    await pass(HOUR_MS / 2);
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'));
    assert.equal(receiver.received.length, 4);
  });

  test('many receivers that stopped answering leave room for one that answers', async () => {
    receiver.answer(answering(500));
    const stalling = await Promise.all(
      Array.from({ length: 15 }, () => call<WebhookReply>('POST', '', { url: `${receiver.url}/stalls` })),
    );
    await create('stalls');
    await until(async () => {
      const { webhooks } = await call<{ webhooks: WebhookReply[] }>('GET', '');
      return webhooks.every(({ failures }) => failures > 0);
    });
    await quiet();
    receiver.answer((response, { path }) => {
      if (path === '/hook') response.writeHead(204).end();
    });
    clock.pass(HOUR_MS);
    await until(async () => receiver.on('/stalls').length > stalling.length);
    await make();
    await create('answers');
    await until(async () => receiver.on('/hook').length > 0);
    for (const { webhook_id } of stalling) await call('DELETE', `/${webhook_id}`);
    receiver.hangUp();
    await quiet();
  });

  test('what waits is bounded: the rest stays in the event log until there is room', async () => {
    receiver.answer(answering(500));
    await make();
    const project = await core.projects.open('local', 'default');
    const ids = Array.from({ length: 520 }, (_, index) => `asset_${index}`);
    const timestamp = new Date().toISOString();
    const events = ids.map((asset_id) => ({ ...PROCESSED, asset_id, timestamp }));
    await Promise.all(events.map((event) => logEvent(project, assetProcessed, event)));
    const total = async () =>
      (await call<{ total: number }>('GET', `/${webhook.webhook_id}/deliveries?limit=1`)).total;
    await until(async () => (await total()) >= 500);
    await quiet();
    assert.equal(await total(), 500);
    receiver.answer(answering(204));
    await pass(HOUR_MS);
    await until(async () => (await total()) === ids.length);
  });
});

const PROCESSED = {
  entity_type: null,
  entity_id: null,
  processing_type: 'metadata',
  status: 'completed',
};
