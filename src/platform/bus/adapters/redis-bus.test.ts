import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it, type TestContext } from 'node:test';
import { REDIS_URL, startRedisRelay } from '../../../../test/support/redis-relay.ts';
import { until } from '../../../../test/support/until.ts';
import { busConformance } from '../bus.conformance.ts';
import { type Bus, type BusEvent, EVENTS_MISSED } from '../bus.ts';
import { createRedisBus } from './redis-bus.ts';

if (process.env.CANONRY_TEST_REDIS === 'off') {
  it('Redis bus', { skip: 'CANONRY_TEST_REDIS is off' }, () => {});
} else {
  busConformance('redis', async (t) => {
    const errors: unknown[] = [];
    return { bus: await openBus(t, REDIS_URL, errors), errors };
  });

  it('carries events of followed tenants to other processes, each once', async (t) => {
    const [one, two] = [await openBus(t, REDIS_URL), await openBus(t, REDIS_URL)];
    const [mine, other] = [randomUUID(), randomUUID()];
    const [heardByOne, heardByTwo] = [follow(one, mine), follow(two, mine)];
    await arrives(heardByTwo, () => one.publish(mine, { type: 'ready' }), 'ready');
    one.publish(other, { type: 'foreign' });
    one.publish(mine, { type: 'saved', list: [1] });
    await until(() => heardByTwo.some(({ type }) => type === 'saved'));
    await one.idle();
    const isNews = ({ type }: BusEvent) => type !== 'ready' && type !== EVENTS_MISSED;
    assert.deepEqual(heardByTwo.filter(isNews), [{ type: 'saved', list: [1] }]);
    assert.deepEqual(heardByOne.filter(isNews), [{ type: 'saved', list: [1] }]);
  });

  it('goes on alone while Redis is away, says so, and tells followers afterwards that they missed something', async (t) => {
    const relay = await startRedisRelay(t);
    const bus = await openBus(t, relay.url);
    const peer = await openBus(t, REDIS_URL);
    const tenant = randomUUID();
    const heard = follow(bus, tenant);
    await bus.probe();
    await relay.down();
    await assert.rejects(bus.probe());
    bus.publish(tenant, { type: 'alone' });
    await bus.idle();
    assert.deepEqual(
      heard.map(({ type }) => type),
      ['alone'],
    );
    await relay.up();
    await until(() => heard.some(({ type }) => type === EVENTS_MISSED));
    // Its two connections come back each by itself.
    await until(() =>
      bus.probe().then(
        () => true,
        () => false,
      ),
    );
    await arrives(heard, () => peer.publish(tenant, { type: 'back' }), 'back');
  });
}

async function openBus(t: Pick<TestContext, 'after'>, url: string, errors: unknown[] = []): Promise<Bus> {
  const bus = await createRedisBus({ url, onError: (error) => errors.push(error) });
  t.after(() => bus.close());
  return bus;
}

function follow(bus: Bus, tenantId: string): BusEvent[] {
  const heard: BusEvent[] = [];
  bus.follow(tenantId, (event) => void heard.push(event));
  return heard;
}

/** Publishes until it is heard: a subscription takes its time. */
const arrives = (heard: BusEvent[], publish: () => void, type: string) =>
  until(() => {
    publish();
    return heard.some((event) => event.type === type);
  });
