import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { eventJson } from '../../../kit/event.ts';
import { newId } from '../../../kit/ids.ts';
import { type Bus, eventsMissed } from '../bus.ts';
import { createDelivery, isFollowed } from './delivery.ts';
import { createInProcessBus, type InProcessBusOptions } from './in-process-bus.ts';
import { createMessageReader } from './redis-messages.ts';

export interface RedisBusOptions extends InProcessBusOptions {
  /** `redis://` or `rediss://` */
  url: string;
  /** Hears why a message of another process was dropped, once for each kind of event. */
  onRefused: (reason: string) => void;
}

const ANSWER_WITHIN_MS = 2_000;
const channelOf = (tenantId: string): string => `svc:tenant:${tenantId}:events`;
const tenantOf = (channel: string): string => channel.slice('svc:tenant:'.length, -':events'.length);

/**
 * Delivers to this process at once, and by a channel for each tenant (spec 2 §6.3) to the others. While Redis is away
 * each process hears itself; once it is back, followers are told that they missed something.
 */
export async function createRedisBus({ url, onRefused, ...options }: RedisBusOptions): Promise<Bus> {
  const here = createInProcessBus(options);
  const elsewhere = createDelivery(options.onError);
  const messages = createMessageReader(onRefused);
  const self = newId();
  const followers = new Map<string, number>();
  const sender = await connect(url);
  const receiver = await connect(url);
  // A tenant's channel is subscribed anew when the connection is: until then nobody minds a failure.
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
  // The bundle gives a CommonJS package as a whole, its names are not there.
  const { default: ioredis } = await import('ioredis');
  const redis = new ioredis.Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    // What cannot be sent now is lost; the event log has it.
    enableOfflineQueue: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  // `probe` tells of a connection that is down; without a listener the client would print every attempt.
  redis.on('error', () => {});
  const connected = redis.connect().catch(() => undefined);
  await Promise.race([connected, delay(ANSWER_WITHIN_MS, undefined, { ref: false })]);
  return redis;
}
