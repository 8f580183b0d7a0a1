import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import type { Bus, BusEvent } from './bus.ts';

export interface BusUnderTest {
  bus: Bus;
  /** What listeners threw so far. */
  errors: unknown[];
}

/** What every bus must do; `makeBus` gives one without listeners. */
export function busConformance(name: string, makeBus: (t: TestContext) => Promise<BusUnderTest>): void {
  describe(`bus: ${name}`, () => {
    it('delivers every event to every listener in order, after publish returned', async (t) => {
      const { bus } = await makeBus(t);
      const [first, second]: [string[], string[]] = [[], []];
      bus.subscribe((tenantId, event) => void first.push(`${tenantId} ${event.type}`));
      bus.subscribe(async (tenantId, event) => void second.push(`${tenantId} ${event.type}`));
      for (const type of ['a', 'b', 'c']) bus.publish('local', { type });
      bus.publish('other', { type: 'd' });
      assert.deepEqual(first, []);
      await bus.idle();
      assert.deepEqual(first, ['local a', 'local b', 'local c', 'other d']);
      assert.deepEqual(second, first);
    });

    it('gives each listener a JSON copy of its own, as it was when published', async (t) => {
      const { bus } = await makeBus(t);
      const seen: BusEvent[] = [];
      bus.subscribe((_, event) => {
        seen.push({ ...event });
        event.list = 'changed';
      });
      bus.subscribe((_, event) => void seen.push(event));
      const event = { type: 'saved', list: [1], at: new Date(0), nothing: undefined };
      bus.publish('local', event);
      event.list.push(2);
      await bus.idle();
      const expected = { type: 'saved', list: [1], at: '1970-01-01T00:00:00.000Z' };
      assert.deepEqual(seen, [expected, expected]);
    });

    it('goes on when a listener throws or rejects, and reports it', async (t) => {
      const { bus, errors } = await makeBus(t);
      const seen: string[] = [];
      bus.subscribe(() => {
        throw new Error('thrown');
      });
      bus.subscribe(() => Promise.reject(new Error('rejected')));
      bus.subscribe((_, event) => void seen.push(event.type));
      bus.publish('local', { type: 'a' });
      bus.publish('local', { type: 'b' });
      await bus.idle();
      assert.deepEqual(seen, ['a', 'b']);
      assert.deepEqual(errors.map((error) => (error instanceof Error ? error.message : '')).sort(), [
        'rejected',
        'rejected',
        'thrown',
        'thrown',
      ]);
    });

    it('refuses what cannot be JSON', async (t) => {
      const { bus } = await makeBus(t);
      const loop: BusEvent = { type: 'loop' };
      loop.self = loop;
      assert.throws(() => bus.publish('local', loop), TypeError);
    });

    it('delivers nothing to a listener that left', async (t) => {
      const { bus } = await makeBus(t);
      const seen: string[] = [];
      const listener = (_: string, event: BusEvent) => void seen.push(event.type);
      const leave = bus.subscribe(listener);
      bus.subscribe(listener);
      bus.publish('local', { type: 'a' });
      leave();
      leave();
      await bus.idle();
      assert.deepEqual(seen, ['a']);
    });

    it('lets a follower hear one tenant alone, until it leaves', async (t) => {
      const { bus } = await makeBus(t);
      const seen: string[] = [];
      const tenant = randomUUID();
      const leave = bus.follow(tenant, (event) => void seen.push(event.type));
      bus.publish(tenant, { type: 'a' });
      bus.publish('other', { type: 'b' });
      await bus.idle();
      leave();
      leave();
      bus.publish(tenant, { type: 'c' });
      await bus.idle();
      assert.deepEqual(seen, ['a']);
      await bus.probe();
    });

    it('is idle once slow listeners and the events that they publish are done', async (t) => {
      const { bus } = await makeBus(t);
      const seen: string[] = [];
      bus.subscribe(async (tenantId, event) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        seen.push(event.type);
        if (event.type === 'first') bus.publish(tenantId, { type: 'second' });
      });
      bus.publish('local', { type: 'first' });
      await bus.idle();
      assert.deepEqual(seen, ['first', 'second']);
    });
  });
}
