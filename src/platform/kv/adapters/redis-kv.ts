import type { Redis } from 'ioredis';
import { atMost } from '../../../kit/at-most.ts';
import { type KeyValue, KeyValueUnavailable } from '../kv.ts';

export interface RedisKeyValueOptions {
  /** `redis://` or `rediss://` */
  url: string;
  /** So that services can share one Redis. */
  prefix: string;
}

/** Milliseconds after which every call fails. */
const answerWithinMs = 2_000;

// A script is atomic: a crash between counting and expiring would leave a counter that never resets.
const incrementScript = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`;

// A member carries its own expiry; the group lasts as long as its latest member.
const joinScript = `
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end`;

/** Redis 6.2 or newer. Also resolves while Redis is down, and connects once it is back. */
export async function createRedisKeyValue({ url, prefix }: RedisKeyValueOptions): Promise<KeyValue> {
  const redis = await connect(url);
  const valueKey = (key: string) => `${prefix}v:${key}`;
  const counterKey = (key: string) => `${prefix}c:${key}`;
  const groupKey = (group: string) => `${prefix}g:${group}`;

  return {
    get: async (key) => (await answer(redis.get(valueKey(key)))) ?? undefined,
    set: async (key, value, { ttlMs }) => {
      await answer(redis.set(valueKey(key), value, 'PX', Math.ceil(ttlMs)));
    },
    take: async (key) => (await answer(redis.getdel(valueKey(key)))) ?? undefined,
    increment: async (key, { ttlMs }) => {
      const reply = await answer(redis.eval(incrementScript, 1, counterKey(key), Math.ceil(ttlMs)));
      const [count, leftMs] = Array.isArray(reply) ? reply.map(Number) : [];
      if (count === undefined || leftMs === undefined) throw new KeyValueUnavailable('Redis gave no count');
      return { count, resetAtMs: Date.now() + leftMs };
    },
    join: async (group, key, value, { ttlMs }) => {
      const life = Math.ceil(ttlMs);
      const member = `${Date.now() + life} ${value}`;
      await answer(redis.eval(joinScript, 1, groupKey(group), key, member, life));
    },
    leave: async (group, key) => {
      await answer(redis.hdel(groupKey(group), key));
    },
    members: async (group) => {
      const found = Object.entries(await answer(redis.hgetall(groupKey(group))));
      const isOver = ([, member]: [string, string]) => Number.parseInt(member, 10) <= Date.now();
      const gone = found.filter(isOver).map(([key]) => key);
      if (gone.length > 0) await answer(redis.hdel(groupKey(group), ...gone));
      return found
        .filter((entry) => !isOver(entry))
        .map(([, member]) => member.slice(member.indexOf(' ') + 1));
    },
    ping: async () => {
      await answer(redis.ping());
    },
    close: async () => redis.disconnect(),
  };
}

async function connect(url: string): Promise<Redis> {
  // In the bundle, a CommonJS package has only its default export.
  const { default: ioredis } = await import('ioredis');
  const redis = new ioredis.Redis(url, {
    lazyConnect: true,
    connectTimeout: answerWithinMs,
    commandTimeout: answerWithinMs,
    // While Redis is down every call fails immediately instead of piling up.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  // Each call reports its own failure; without a listener the client would print every attempt to connect.
  redis.on('error', () => {});
  await atMost(answerWithinMs, redis.connect());
  return redis;
}

async function answer<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new KeyValueUnavailable(`Redis does not answer: ${reason}`, { cause: error });
  }
}
