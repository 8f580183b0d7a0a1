import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createRunningClock } from '../../../test/support/cloud.ts';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { openTestSocket, socketAddress } from '../../../test/support/sockets.ts';
import { until } from '../../../test/support/until.ts';
import {
  answering,
  type Received,
  type Receiver,
  startReceiver,
} from '../../../test/support/webhook-receiver.ts';
import { forgetEvents } from '../../world/records/events.store.ts';
import type { DeliveryReply, WebhookReply } from './webhooks.contract.ts';
import type { WebhooksDb } from './webhooks.tables.ts';

type MadeWebhook = WebhookReply & { secret: string };

const CHARACTERS = '/api/entity/character';

forEachDatabase((_name, open) => {
  const clock = createRunningClock();
  let core: TestCore;
  let receiver: Receiver;
  before(async () => {
    core = await startCore({
      open,
      clock,
      env: { ALLOW_PRIVATE_ENDPOINTS: 'true' },
      webhooks: { everyMs: 50, withinMs: 60_000 },
    });
    receiver = await startReceiver();
    await core.mirror.whenSettled(await core.projects.open('local', 'default'));
  });
  after(() => Promise.all([core.close(), receiver.close()]));
  afterEach(async () => {
    receiver.answer(answering(204));
    const { body } = await core.call<{ webhooks: WebhookReply[] }>('GET', '/api/webhooks');
    for (const { webhook_id } of body.webhooks) await core.call('DELETE', `/api/webhooks/${webhook_id}`);
  });

  /** A file written from outside; the folder is not watched. */
  async function put(id: string): Promise<void> {
    const folder = join(core.contentDir, 'Characters', id);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `CHAR_${id}.md`), `---\nname: ${id}\n---\n`);
  }
  const sync = async (): Promise<void> => {
    const reply = await core.call('POST', '/api/entity/sync/all');
    assert.equal(reply.status, 200, reply.text);
  };
  /** How long a catch-up message waits for more changes. */
  const settle = (): void => clock.pass(5_000);

  /** Each webhook has its own path, so that tests do not hear each other. */
  async function make(path: string, settings: object = {}): Promise<MadeWebhook> {
    const reply = await core.call<MadeWebhook>('POST', '/api/webhooks', {
      body: { url: `${receiver.url}${path}`, ...settings },
    });
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  }
  const change = async ({ webhook_id }: WebhookReply, body: object) => {
    const reply = await core.call<WebhookReply>('PUT', `/api/webhooks/${webhook_id}`, { body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const now = async ({ webhook_id }: WebhookReply) =>
    (await core.call<WebhookReply>('GET', `/api/webhooks/${webhook_id}`)).body;
  const deliveriesOf = async ({ webhook_id }: WebhookReply): Promise<DeliveryReply[]> => {
    const reply = await core.call<{ deliveries: DeliveryReply[] }>(
      'GET',
      `/api/webhooks/${webhook_id}/deliveries`,
    );
    assert.equal(reply.status, 200, reply.text);
    return reply.body.deliveries;
  };
  const create = async (entity_id: string, type = 'character'): Promise<void> => {
    const reply = await core.call('POST', `/api/entity/${type}`, { body: { entity_id, name: entity_id } });
    assert.equal(reply.status, 201, reply.text);
  };
  const came = async (path: string, count: number, type?: string): Promise<Received[]> => {
    await until(async () => receiver.on(path, type).length >= count);
    return receiver.on(path, type);
  };
  const idsOn = (path: string) => receiver.on(path).map(({ event }) => event.entity_id);

  test('a change is sent signed, with the event’s own fields, the project and a cursor', async () => {
    const webhook = await make('/signed');
    await create('mira');
    const [message] = await came('/signed', 1);
    assert.ok(message);
    assert.match(webhook.secret, /^whsec_/);
    const checked = new Webhook(webhook.secret).verify(
      message.text,
      message.headers as Record<string, string>,
    );
    assert.deepEqual(checked, message.event);
    assert.throws(() =>
      new Webhook(webhook.secret).verify(`${message.text} `, message.headers as Record<string, string>),
    );
    const me = await core.call<{ user_id: string }>('GET', '/api/auth/me');
    const mira = await core.call<{ checksum: string }>('GET', '/api/entity/character/mira');
    const { cursor, timestamp, ...event } = message.event;
    assert.ok(!Number.isNaN(Date.parse(String(timestamp))));
    assert.deepEqual(event, {
      project_id: 'default',
      type: 'entity_updated',
      entity_type: 'character',
      entity_id: 'mira',
      action: 'create',
      updated_fields: [],
      updated_by: me.body.user_id,
      version: 1,
      checksum: mira.body.checksum,
    });
    assert.equal(message.headers['content-type'], 'application/json');
    const since = await core.call<{ events: unknown[] }>('GET', `/api/events?cursor=${cursor}`);
    assert.deepEqual(since.body.events, []);
    await until(async () => (await deliveriesOf(webhook))[0]?.state === 'delivered');
    const [delivery] = await deliveriesOf(webhook);
    assert.deepEqual(
      [delivery?.message_id, delivery?.status, delivery?.attempts, delivery?.error, delivery?.body],
      [message.headers['webhook-id'], 204, 1, null, message.text],
    );
    const { failures, last_success_at } = await now(webhook);
    assert.deepEqual([failures, typeof last_success_at], [0, 'string']);
  });

  test('an address is sealed in the database, also one that was there in clear, and shown as it was given', async () => {
    const webhook = await make('/sealed?key=hush');
    const url = `${receiver.url}/sealed?key=hush`;
    const kept = () =>
      core.opened.database.system.read((db: WebhooksDb) => db.selectFrom('webhooks').select('url').execute());
    const isSealed = async () => !JSON.stringify(await kept()).includes('sealed');
    assert.deepEqual([webhook.url, (await now(webhook)).url, await isSealed()], [url, url, true]);
    const other = url.replace('hush', 'still');
    assert.deepEqual([(await change(webhook, { url: other })).url, await isSealed()], [other, true]);
    await core.opened.database.system.write((db: WebhooksDb) =>
      db.updateTable('webhooks').set({ url }).execute(),
    );
    await create('hushed');
    await came('/sealed?key=hush', 1);
    await (await startCore({ existing: core.opened, contentDir: core.contentDir })).close();
    assert.deepEqual([(await now(webhook)).url, await isSealed()], [null, true]);
    assert.equal((await change(webhook, { url })).url, url);
  });

  test('the secret is shown once, and a changed one leaves the old one good for a day', async () => {
    const webhook = await make('/rotated');
    const { secret: _, ...shown } = webhook;
    assert.deepEqual(await now(webhook), shown);
    const rotated = await core.call<MadeWebhook>('POST', `/api/webhooks/${webhook.webhook_id}/rotate-secret`);
    assert.equal(rotated.status, 200, rotated.text);
    assert.notEqual(rotated.body.secret, webhook.secret);
    const leftMs = Date.parse(rotated.body.old_secret_until ?? '') - Date.now();
    assert.ok(leftMs > 23 * 3_600_000 && leftMs <= 24 * 3_600_000, String(leftMs));
    await create('rotated');
    const [message] = await came('/rotated', 1);
    for (const { secret } of [webhook, rotated.body])
      new Webhook(secret).verify(message?.text ?? '', message?.headers as Record<string, string>);
  });

  test('only what is asked for is sent, by kind of event and by type of entity', async () => {
    await make('/places', { events: ['entity_updated'], entity_types: ['location'] });
    await make('/syncs', { events: ['sync_completed'] });
    await put('filtered');
    await sync();
    await create('harbour', 'location');
    await came('/syncs', 1);
    await came('/places', 1);
    assert.deepEqual(idsOn('/places'), ['harbour']);
    assert.deepEqual(
      receiver.on('/syncs').map(({ event }) => event.type),
      ['sync_completed'],
    );
  });

  test('who comes and goes is sent to those who ask for it', async () => {
    await make('/usual');
    await make('/presence', { events: ['presence_update'] });
    const socket = await openTestSocket(await socketAddress(core.app), { token: core.adminToken });
    const { user_id } = await socket.next('ready');
    const [message] = await came('/presence', 1, 'presence_update');
    assert.deepEqual([message?.event.user_id, message?.event.project_id], [user_id, 'default']);
    socket.peer.close();
    await came('/presence', 2, 'presence_update');
    assert.deepEqual(receiver.on('/usual', 'presence_update'), []);
  });

  test('a mass import is one word to catch up, not one for each entity', async () => {
    const webhook = await make('/import');
    for (let index = 0; index < 60; index += 1) await put(`mass_${index}`);
    await sync();
    await came('/import', 1, 'sync_completed');
    await until(async () =>
      (await deliveriesOf(webhook)).some(({ event_type }) => event_type === 'catch_up'),
    );
    const deliveries = await deliveriesOf(webhook);
    assert.deepEqual(deliveries.map(({ event_type }) => event_type).sort(), ['catch_up', 'sync_completed']);
    settle();
    const [message] = await came('/import', 1, 'catch_up');
    const page = await core.call('GET', `/api/events?cursor=${message?.event.cursor}`);
    assert.equal(page.status, 200, page.text);
  });

  test('a webhook that was disabled goes on where it stopped, and says where the log has forgotten', async () => {
    const webhook = await make('/paused');
    assert.equal((await change(webhook, { enabled: false })).enabled, false);
    await create('meanwhile');
    assert.deepEqual(await deliveriesOf(webhook), []);
    await change(webhook, { enabled: true });
    await came('/paused', 1);
    assert.deepEqual(idsOn('/paused'), ['meanwhile']);
    await change(webhook, { enabled: false });
    await create('forgotten');
    await create('kept');
    await forgetEvents(await core.projects.open('local', 'default'), new Date(0).toISOString(), 1);
    await change(webhook, { enabled: true });
    await until(async () => (await deliveriesOf(webhook)).length === 3);
    settle();
    await came('/paused', 1, 'catch_up');
    assert.deepEqual(idsOn('/paused').sort(), ['kept', 'meanwhile', undefined]);
  });

  test('a trial is answered with what came of it, and is in the log', async () => {
    const webhook = await make('/trial', { enabled: false });
    const trial = async () => {
      const reply = await core.call<DeliveryReply>('POST', `/api/webhooks/${webhook.webhook_id}/test`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const taken = await trial();
    assert.deepEqual([taken.state, taken.status, taken.event_type], ['delivered', 204, 'test']);
    assert.equal(receiver.on('/trial', 'test').length, 1);
    receiver.answer(answering(500, {}, `oh dear ${'x'.repeat(100_000)}`));
    const failed = await trial();
    assert.deepEqual([failed.state, failed.status, failed.error], ['failed', 500, 'It answered 500']);
    assert.ok(failed.reply?.startsWith('oh dear') && failed.reply.length === 1_000);
    assert.deepEqual(await deliveriesOf(webhook), [failed, taken]);
  });

  test('what answers oddly is told in words', async () => {
    const webhook = await make('/odd', { enabled: false });
    const errorOf = async (): Promise<string | null> =>
      (await core.call<DeliveryReply>('POST', `/api/webhooks/${webhook.webhook_id}/test`)).body.error;
    receiver.answer(answering(302, { location: `${receiver.url}/elsewhere` }));
    assert.match((await errorOf()) ?? '', /302: redirects are not followed/);
    assert.deepEqual(receiver.on('/elsewhere'), []);
    receiver.answer((response) => response.destroy());
    assert.match((await errorOf()) ?? '', /cut before there was an answer/);
    await change(webhook, { url: 'http://127.0.0.1:9/' });
    assert.match((await errorOf()) ?? '', /Nothing takes connections there/);
    await change(webhook, { url: 'http://nowhere.invalid/' });
    assert.match((await errorOf()) ?? '', /name|No answer/);
  });

  test('a delivery is sent again on request, as the same message', async () => {
    const webhook = await make('/again');
    await create('again');
    const [first] = await came('/again', 1);
    const [delivery] = await deliveriesOf(webhook);
    const path = `/api/webhooks/${webhook.webhook_id}/deliveries`;
    const reply = await core.call<DeliveryReply>('POST', `${path}/${delivery?.delivery_id}/redeliver`);
    assert.equal(reply.status, 201, reply.text);
    assert.notEqual(reply.body.delivery_id, delivery?.delivery_id);
    const [, second] = await came('/again', 2);
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);
    assert.equal(second?.text, first?.text);
    assert.equal((await core.call('POST', `${path}/nothing/redeliver`)).status, 404);
    await change(webhook, { enabled: false });
    const refused = await core.call('POST', `${path}/${delivery?.delivery_id}/redeliver`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'webhook_disabled']);
  });

  test('a dead receiver keeps neither saves nor other webhooks waiting', async () => {
    const dead = await make('/dead');
    await make('/quick');
    receiver.answer((response, { path }) => {
      if (path !== '/dead') response.writeHead(204).end();
    });
    const ids = Array.from({ length: 12 }, (_, index) => `beside_${index}`);
    for (const id of ids) await create(id);
    await came('/quick', ids.length);
    assert.deepEqual(idsOn('/quick').sort(), ids.toSorted());
    assert.ok((await deliveriesOf(dead)).every(({ state }) => state === 'waiting'));
  });

  test('settings that mean nothing are refused, before anything is kept', async () => {
    const refusal = async (body: object) => {
      const reply = await core.call<{ detail: string }>('POST', '/api/webhooks', { body });
      assert.equal(reply.status, 422, reply.text);
      return reply.body.detail;
    };
    assert.match(await refusal({ url: 'ftp://files.example.com' }), /begin with http:\/\/ or https:\/\//);
    assert.match(await refusal({ url: 'wiki' }), /begin with/);
    assert.match(await refusal({ url: 'https://me:secret@wiki.example.com' }), /no name and password/);
    assert.match(await refusal({ url: 'http://169.254.169.254/latest' }), /never used as an endpoint/);
    const url = `${receiver.url}/refused`;
    for (const wrong of [
      { events: [] },
      { events: ['everything'] },
      { entity_types: [] },
      { secret: 'mine' },
    ])
      await refusal({ url, ...wrong });
    const { body } = await core.call<{ webhooks: unknown[] }>('GET', '/api/webhooks');
    assert.deepEqual(body.webhooks, []);
    const made = await Promise.all(
      Array.from({ length: 24 }, () => core.call('POST', '/api/webhooks', { body: { url } })),
    );
    assert.deepEqual(
      [201, 409].map((status) => made.filter((reply) => reply.status === status).length),
      [20, 4],
    );
  });

  test('only admins see and set them, of their own project', async () => {
    const webhook = await make('/mine');
    const token = await core.registerViewer();
    for (const [method, url] of [
      ['GET', '/api/webhooks'],
      ['GET', `/api/webhooks/${webhook.webhook_id}/deliveries`],
    ] as const)
      assert.equal((await core.call(method, url, { token })).status, 403);
    await core.call('POST', `${CHARACTERS}?project_id=second`, { body: { entity_id: 'far', name: 'Far' } });
    const elsewhere = await core.call('GET', `/api/webhooks/${webhook.webhook_id}?project_id=second`);
    assert.equal(elsewhere.status, 404);
    await create('near');
    await came('/mine', 1);
    assert.deepEqual(idsOn('/mine'), ['near']);
  });
});

test('who says nothing is told as such, who stops in the middle has taken the message', async (t) => {
  const core = await startCore({
    env: { ALLOW_PRIVATE_ENDPOINTS: 'true' },
    webhooks: { everyMs: 50, withinMs: 1_000 },
  });
  const receiver = await startReceiver();
  t.after(() => Promise.all([core.close(), receiver.close()]));
  receiver.answer(() => {});
  const { body } = await core.call<MadeWebhook>('POST', '/api/webhooks', { body: { url: receiver.url } });
  const trial = async () => {
    const path = `/api/webhooks/${body.webhook_id}/test`;
    const { state, error } = (await core.call<DeliveryReply>('POST', path)).body;
    return [state, error];
  };
  assert.deepEqual(await trial(), ['failed', 'No answer within 1 seconds']);
  receiver.answer((response) => void response.writeHead(200, { 'content-length': '50' }).write('half'));
  assert.deepEqual(await trial(), ['delivered', null]);
});

test('private addresses are refused where the setting does not allow them', async (t) => {
  const core = await startCore({ webhooks: { everyMs: 50 } });
  t.after(() => core.close());
  for (const host of ['127.0.0.1', '[::1]', 'localhost', '10.0.0.8', '[::ffff:127.0.0.1]', '2130706433']) {
    const reply = await core.call<{ detail: string; code: string }>('POST', '/api/webhooks', {
      body: { url: `http://${host}:8000/` },
    });
    assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_address'], host);
    assert.match(reply.body.detail, /ALLOW_PRIVATE_ENDPOINTS=true/);
  }
});
