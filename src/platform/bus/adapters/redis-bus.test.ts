import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { Type } from 'typebox';
import { REDIS_URL, startRedisRelay } from '../../../../test/support/redis-relay.ts';
import { until } from '../../../../test/support/until.ts';
import { defineEvent, type EventOf } from '../../../kit/event.ts';
import { busConformance, saved } from '../bus.conformance.ts';
import type { Bus, EventOrigin, eventsMissed } from '../bus.ts';
import { createRedisBus, type RedisBusOptions } from './redis-bus.ts';

const newer = defineEvent('newer', { name: Type.String() });

type Heard = EventOf<typeof saved | typeof eventsMissed>;

if (process.env.CANONRY_TEST_REDIS === 'off') {
  it('Redis bus', { skip: 'CANONRY_TEST_REDIS is off' }, () => {});
} else {
  busConformance('redis', async (t) => {
    const errors: unknown[] = [];
    return { bus: await openBus(t, { onError: (error) => errors.push(error) }), errors };
  });

  it('carries events of followed tenants to other processes, each once', async (t) => {
    const [one, two] = [await openBus(t), await openBus(t)];
    const [mine, other] = [newOrigin(), newOrigin()];
    const [heardByOne, heardByTwo] = [follow(one, mine), follow(two, mine)];
    await arrives(heardByTwo, () => one.publish(mine, saved, save('ready')), 'ready');
    one.publish(other, saved, save('foreign'));
    one.publish(mine, saved, { name: 'news', list: [1] });
    await until(() => namesIn(heardByTwo).includes('news'));
    await one.idle();
    for (const heard of [heardByOne, heardByTwo]) {
      const news = heard.filter(({ event }) => event.type === 'saved' && event.name !== 'ready');
      assert.deepEqual(news, [{ event: { type: 'saved', name: 'news', list: [1] }, origin: mine }]);
    }
  });

  it('lets nothing in that is no event or has another shape, and goes on', async (t) => {
    const refused: string[] = [];
    const errors: unknown[] = [];
    const bus = await openBus(t, {
      onRefused: (reason) => refused.push(reason),
      onError: (error) => errors.push(error),
    });
    const peer = await openBus(t);
    const redis = new Redis(REDIS_URL);
    t.after(() => redis.disconnect());
    const origin = newOrigin();
    const heard = follow(bus, origin);
    await arrives(heard, () => peer.publish(origin, saved, save('ready')), 'ready');
    const send = (text: string) => redis.publish(`svc:tenant:${origin.tenantId}:events`, text);
    const event = { type: 'saved', name: 'broken', list: [], origin: 'elsewhere' };
    for (const text of ['{', 'null', '[]', '{"type":"saved"}', JSON.stringify({ ...event, type: 1 })])
      await send(text);
    await send(JSON.stringify({ ...event, project_id: 7 }));
    for (const wrong of [{ list: 1 }, { name: null }]) await send(JSON.stringify({ ...event, ...wrong }));
    peer.publish(origin, newer, { name: 'unknown here' });
    await send(JSON.stringify({ ...event, name: 'of an older core' }));
    await until(() => namesIn(heard).includes('of an older core'));
    peer.publish(origin, saved, save('last'));
    await until(() => namesIn(heard).includes('last'));
    assert.deepEqual(
      namesIn(heard).filter((name) => name !== 'ready'),
      ['of an older core', 'last'],
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(refused, [
      'a message from another process is no event',
      'an event saved from another process does not match its schema: [{"field":"list","message":"must be array"}]',
    ]);
  });

  it('goes on alone while Redis is away, says so, and tells followers afterwards that they missed something', async (t) => {
    const relay = await startRedisRelay(t);
    const bus = await openBus(t, { url: relay.url });
    const peer = await openBus(t);
    const origin = newOrigin();
    const heard = follow(bus, origin);
    await bus.probe();
    await relay.down();
    await assert.rejects(bus.probe());
    bus.publish(origin, saved, save('alone'));
    await bus.idle();
    assert.deepEqual(namesIn(heard), ['alone']);
    await relay.up();
    await until(() => heard.some(({ event }) => event.type === 'events_missed'));
    // Its two connections recover separately.
    await until(() =>
      bus.probe().then(
        () => true,
        () => false,
      ),
    );
    await arrives(heard, () => peer.publish(origin, saved, save('back')), 'back');
  });
}

async function openBus(t: Pick<TestContext, 'after'>, options: Partial<RedisBusOptions> = {}): Promise<Bus> {
  const bus = await createRedisBus({
    url: REDIS_URL,
    verify: true,
    onError: (error) => assert.ifError(error),
    onRefused: (reason) => assert.fail(reason),
    ...options,
  });
  t.after(() => bus.close());
  return bus;
}

const newOrigin = (): EventOrigin => ({ tenantId: randomUUID(), projectId: 'default' });
const save = (name: string) => ({ name, list: [] });

function follow(bus: Bus, { tenantId }: EventOrigin): { event: Heard; origin: EventOrigin }[] {
  const heard: { event: Heard; origin: EventOrigin }[] = [];
  bus.follow(tenantId, [saved], (event, origin) => void heard.push({ event, origin }));
  return heard;
}

const namesIn = (heard: readonly { event: Heard }[]): string[] =>
  heard.flatMap(({ event }) => (event.type === 'saved' ? event.name : []));

/** Publishes until the event arrives: a subscription takes a moment. */
const arrives = (heard: readonly { event: Heard }[], publish: () => void, name: string) =>
  until(() => {
    publish();
    return namesIn(heard).includes(name);
  });
