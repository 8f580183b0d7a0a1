import type { Redis } from 'ioredis';
import { atMost } from '../../../kit/at-most.ts';
import { eventJson } from '../../../kit/event.ts';
import { newId } from '../../../kit/ids.ts';
import { type Bus, eventsMissed } from '../bus.ts';
import { createDelivery, isFollowed } from './delivery.ts';
import { createInProcessBus, type InProcessBusOptions } from './in-process-bus.ts';
import { createMessageReader } from './redis-messages.ts';

export interface RedisBusOptions extends InProcessBusOptions {
  /** `redis://` or `rediss://` */
  url: string;
  /** With the reason why another process's message was dropped, once per kind of event. */
  onRefused: (reason: string) => void;
}

const ANSWER_WITHIN_MS = 2_000;
const channelOf = (tenantId: string): string => `svc:tenant:${tenantId}:events`;
const tenantOf = (channel: string): string => channel.slice('svc:tenant:'.length, -':events'.length);

/**
 * Delivers to this process immediately, and to the others through one channel per tenant (spec 2 §6.3). While Redis is
 * away each process hears only itself; after its return, followers are told that they missed events.
 */
export async function createRedisBus({ url, onRefused, ...options }: RedisBusOptions): Promise<Bus> {
  const here = createInProcessBus(options);
  const elsewhere = createDelivery(options.onError);
  const messages = createMessageReader(onRefused);
  const self = newId();
  const followers = new Map<string, number>();
  const sender = await connect(url);
  const receiver = await connect(url);
  // A reconnect renews the subscription to a tenant's channel, so a failure before that does not matter.
  const ask = (work: Promise<unknown>) => void work.catch(() => {});
  const listen = (tenantIds: readonly string[]) => {
    if (tenantIds.length > 0) ask(receiver.subscribe(...tenantIds.map(channelOf)));
  };

  receiver.on('ready', () => {
    const tenantIds = [...followers.keys()];
    listen(tenantIds);
    for (const tenantId of tenantIds)
      elsewhere.send({ tenantId, projectId: null }, eventsMissed.name, eventJson(eventsMissed, {}));
  });
  receiver.on('message', (channel: string, text: string) => {
    const message = messages.read(text);
    if (message === null || message.sender === self) return;
    const { projectId, event } = message;
    elsewhere.send({ tenantId: tenantOf(channel), projectId }, event.type, JSON.stringify(event));
  });

  function leave(tenantId: string): void {
    const left = (followers.get(tenantId) ?? 0) - 1;
    if (left > 0) followers.set(tenantId, left);
    else {
      followers.delete(tenantId);
      ask(receiver.unsubscribe(channelOf(tenantId)));
    }
  }

  return {
    publish(origin, definition, content) {
      here.publish(origin, definition, content);
      const message = { type: definition.name, ...content, project_id: origin.projectId, origin: self };
      ask(sender.publish(channelOf(origin.tenantId), JSON.stringify(message)));
    },
    on: here.on,
    onAny: here.onAny,
    follow(tenantId, definitions, listener) {
      messages.expect(definitions);
      const ends = [
        here.follow(tenantId, definitions, listener),
        elsewhere.subscribe(isFollowed(tenantId, definitions), listener),
      ];
      const count = followers.get(tenantId) ?? 0;
      followers.set(tenantId, count + 1);
      if (count === 0) listen([tenantId]);
      return () => {
        if (ends.length > 0) leave(tenantId);
        for (const end of ends.splice(0)) end();
      };
    },
    async probe() {
      await Promise.all([sender.ping(), receiver.ping()]);
    },
    async idle() {
      await here.idle();
      await elsewhere.idle();
    },
    async close() {
      sender.disconnect();
      receiver.disconnect();
    },
  };
}

async function connect(url: string): Promise<Redis> {
  // In the bundle, a CommonJS package has only its default export.
  const { default: ioredis } = await import('ioredis');
  const redis = new ioredis.Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    // Events that cannot be sent now are dropped; the event log has them.
    enableOfflineQueue: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  // `probe` reports a broken connection; without a listener the client would print every attempt.
  redis.on('error', () => {});
  await atMost(ANSWER_WITHIN_MS, redis.connect());
  return redis;
}
