import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { Type } from 'typebox';
import { defineEvent, type EventOf } from '../../kit/event.ts';
import type { Bus, EventOrigin } from './bus.ts';

export interface BusUnderTest {
  bus: Bus;
  errors: unknown[];
}

export const saved = defineEvent('saved', { name: Type.String(), list: Type.Array(Type.Unknown()) });
const moved = defineEvent('moved', {});

const LOCAL: EventOrigin = { tenantId: 'local', projectId: 'default' };
const save = (name: string) => ({ name, list: [] });

export function busConformance(name: string, makeBus: (t: TestContext) => Promise<BusUnderTest>): void {
  describe(`bus: ${name}`, () => {
    it('delivers every event to every listener in order, after publish returned', async (t) => {
      const { bus } = await makeBus(t);
      const [first, second]: [string[], string[]] = [[], []];
      bus.on(
        saved,
        ({ name }, { tenantId, projectId }) => void first.push(`${tenantId}/${projectId} ${name}`),
      );
      bus.onAny(
        async ({ name }, { tenantId, projectId }) => void second.push(`${tenantId}/${projectId} ${name}`),
      );
      for (const name of ['a', 'b', 'c']) bus.publish(LOCAL, saved, save(name));
      bus.publish({ tenantId: 'other', projectId: null }, saved, save('d'));
      assert.deepEqual(first, []);
      await bus.idle();
      assert.deepEqual(first, ['local/default a', 'local/default b', 'local/default c', 'other/null d']);
      assert.deepEqual(second, first);
    });

    it('lets a listener to one kind of event hear nothing of others', async (t) => {
      const { bus } = await makeBus(t);
      const [kind, any]: [string[], string[]] = [[], []];
      bus.on(saved, ({ type }) => void kind.push(type));
      bus.onAny(({ type }) => void any.push(type));
      bus.publish(LOCAL, moved, {});
      bus.publish(LOCAL, saved, save('a'));
      await bus.idle();
      assert.deepEqual(kind, ['saved']);
      assert.deepEqual(any, ['moved', 'saved']);
    });

    it('gives each listener a JSON copy of its own, as it was when published', async (t) => {
      const { bus } = await makeBus(t);
      const seen: EventOf<typeof saved>[] = [];
      bus.on(saved, (event) => {
        seen.push({ ...event });
        event.list = ['changed'];
      });
      bus.on(saved, (event) => void seen.push(event));
      const list: unknown[] = [new Date(0)];
      bus.publish(LOCAL, saved, { name: 'a', list });
      list.push(2);
      await bus.idle();
      const expected = { type: 'saved', name: 'a', list: ['1970-01-01T00:00:00.000Z'] };
      assert.deepEqual(seen, [expected, expected]);
    });

    it('goes on when a listener throws or rejects, and reports it', async (t) => {
      const { bus, errors } = await makeBus(t);
      const seen: string[] = [];
      bus.on(saved, () => {
        throw new Error('thrown');
      });
      bus.on(saved, () => Promise.reject(new Error('rejected')));
      bus.on(saved, ({ name }) => void seen.push(name));
      bus.publish(LOCAL, saved, save('a'));
      bus.publish(LOCAL, saved, save('b'));
      await bus.idle();
      assert.deepEqual(seen, ['a', 'b']);
      assert.deepEqual(errors.map((error) => (error instanceof Error ? error.message : '')).sort(), [
        'rejected',
        'rejected',
        'thrown',
        'thrown',
      ]);
    });

    it('refuses what cannot be JSON, and what does not match its schema', async (t) => {
      const { bus } = await makeBus(t);
      const loop: unknown[] = [];
      loop.push(loop);
      assert.throws(() => bus.publish(LOCAL, saved, { name: 'a', list: loop }), TypeError);
      const broken = JSON.parse('{"name": 1, "list": []}');
      assert.throws(
        () => bus.publish(LOCAL, saved, broken),
        /The event .* does not match its schema: .*name/,
      );
    });

    it('delivers nothing to a listener that left', async (t) => {
      const { bus } = await makeBus(t);
      const seen: string[] = [];
      const listener = ({ name }: EventOf<typeof saved>) => void seen.push(name);
      const leave = bus.on(saved, listener);
      bus.on(saved, listener);
      bus.publish(LOCAL, saved, save('a'));
      leave();
      leave();
      await bus.idle();
      assert.deepEqual(seen, ['a']);
    });

    it('lets a follower hear the kinds that it names of one tenant alone, until it leaves', async (t) => {
      const { bus } = await makeBus(t);
      const seen: string[] = [];
      const tenantId = randomUUID();
      const origin = { tenantId, projectId: null };
      const leave = bus.follow(tenantId, [saved], (event) => {
        if (event.type === 'saved') seen.push(event.name);
      });
      bus.publish(origin, saved, save('a'));
      bus.publish(origin, moved, {});
      bus.publish(LOCAL, saved, save('b'));
      await bus.idle();
      leave();
      leave();
      bus.publish(origin, saved, save('c'));
      await bus.idle();
      assert.deepEqual(seen, ['a']);
      await bus.probe();
    });

    it('is idle once slow listeners and the events that they publish are done', async (t) => {
      const { bus } = await makeBus(t);
      const seen: string[] = [];
      bus.on(saved, async ({ name }, origin) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        seen.push(name);
        if (name === 'first') bus.publish(origin, saved, save('second'));
      });
      bus.publish(LOCAL, saved, save('first'));
      await bus.idle();
      assert.deepEqual(seen, ['first', 'second']);
    });
  });
}
