import type { Queue } from 'bullmq';
import type { Redis, RedisOptions } from 'ioredis';
import { atMost } from '../../../kit/at-most.ts';
import type { ListenOptions } from '../jobs.ts';

export interface CallsOptions {
  url: string;
  prefix: string;
}

export interface Call {
  count: number;
  inMs?: number;
}

/** A called worker continues while there are jobs, so a few calls wake all processes; more never wait. */
const MOST_CALLS = 16;
/** Delayed calls are rounded up to multiples of this, so that a few of them cover all jobs that become due meanwhile. */
const SAME_TIME_MS = 250;
const CONNECT_WITHIN_MS = 2_000;
/** Pause after a Redis that did not answer; with the library's own 15 seconds, calls would wait long after its return. */
const ASK_AGAIN_MS = 1_000;
const CLOSE_WITHIN_MS = 2_000;
/** How often a call is passed on because its process died. */
const MOST_DEATHS = 5;
const NOT_KEPT = { removeOnComplete: true, removeOnFail: true } as const;

/** Each call reaches one process, and is lost if Redis loses it. */
export async function createCalls({ url, prefix }: CallsOptions) {
  // In the bundle, a CommonJS package has only its default export.
  const { default: bullmq } = await import('bullmq');
  const sender = await connect(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
  });
  const queues = new Map<string, Queue>();
  const ignore = () => {};
  let turn = 0;

  /** A call covers all waiting ones with its number and time; a call that is already being handled does not. */
  function optionsOf(inMs: number) {
    turn = (turn + 1) % MOST_CALLS;
    if (inMs <= 0) return { ...NOT_KEPT, deduplication: { id: String(turn), keepLastIfActive: true } };
    const atMs = Math.ceil((Date.now() + inMs) / SAME_TIME_MS) * SAME_TIME_MS;
    return { ...NOT_KEPT, delay: atMs - Date.now(), deduplication: { id: `${turn}-at-${atMs}` } };
  }

  function queueOf(name: string): Queue {
    const known = queues.get(name);
    if (known) return known;
    const queue = new bullmq.Queue(name, { connection: sender, prefix, skipWaitingForReady: true });
    queue.on('error', ignore);
    queues.set(name, queue);
    return queue;
  }

  return {
    /** Never waits and never fails: workers look for jobs in any case. */
    send(name: string, { count, inMs = 0 }: Call): void {
      if (sender.status !== 'ready') return;
      const calls = Array.from({ length: Math.min(count, MOST_CALLS) }, () => ({
        name: 'due',
        data: {},
        opts: optionsOf(inMs),
      }));
      queueOf(name).addBulk(calls).catch(ignore);
    },

    async listen(name: string, listener: () => Promise<void>, { atOnce, leaseMs }: ListenOptions) {
      const receiver = await connect(url, { maxRetriesPerRequest: null });
      const worker = new bullmq.Worker(name, listener, {
        connection: receiver,
        prefix,
        concurrency: atOnce,
        // Longer than the lease: a process called in place of a dead one finds the jobs free.
        lockDuration: 2 * leaseMs,
        stalledInterval: leaseMs,
        maxStalledCount: MOST_DEATHS,
        runRetryDelay: ASK_AGAIN_MS,
      });
      worker.on('error', ignore);
      return async () => {
        await atMost(CLOSE_WITHIN_MS, worker.pause());
        // Without Redis the worker waits for it in vain, and its timers would keep the process alive: they end by force.
        await atMost(CLOSE_WITHIN_MS, worker.close(true));
        receiver.disconnect();
      };
    },

    async close(): Promise<void> {
      await atMost(CLOSE_WITHIN_MS, Promise.allSettled([...queues.values()].map((queue) => queue.close())));
      sender.disconnect();
    },
  };
}

type RedisTimeouts = Pick<RedisOptions, 'enableOfflineQueue' | 'maxRetriesPerRequest' | 'commandTimeout'>;

async function connect(url: string, options: RedisTimeouts): Promise<Redis> {
  const { default: ioredis } = await import('ioredis');
  const redis = new ioredis.Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_WITHIN_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    ...options,
  });
  // A call that cannot be sent does no harm; without a listener the client would print every attempt.
  redis.on('error', () => {});
  await atMost(CONNECT_WITHIN_MS, redis.connect());
  return redis;
}
