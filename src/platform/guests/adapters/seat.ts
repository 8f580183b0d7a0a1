import type { Clock } from '../../../kit/clock.ts';
import { GuestError, type GuestLane, type GuestLimits } from '../guests.ts';
import type { GuestThread, ThreadCall } from './guest-thread.ts';
import type { Place, Places } from './places.ts';
import type { PreparedGuest } from './prepared.ts';

export interface SeatOptions {
  limits: GuestLimits;
  owner: string;
  lane: GuestLane;
  clock: Clock;
  places: Places;
  prepare(): Promise<PreparedGuest>;
  /** Starts a thread. */
  open(prepared: PreparedGuest): GuestThread;
}

export interface Seat {
  call(call: ThreadCall): Promise<unknown>;
  hasThread(): boolean;
  /** Rejects calls that wait or run; the seat may be used again. */
  end(): Promise<void>;
  /** Nothing runs or waits, and there is no thread. */
  isEmpty(): boolean;
}

interface Waiting {
  call: ThreadCall;
  timer: NodeJS.Timeout;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The calls of one guest, one after another, in a thread that is started when there is a call and a place for it. */
export function createSeat({ limits, owner, lane, clock, places, prepare, open }: SeatOptions): Seat {
  const waiting = new Set<Waiting>();
  let thread: GuestThread | null = null;
  let place: Place | null = null;
  let isWorking = false;
  let idle: NodeJS.Timeout | undefined;

  const hasThread = (): boolean => thread !== null && !thread.isOver();

  function patience(): number {
    if (lane === 'other') return limits.waitMs;
    return thread?.hasBegun() && hasThread() ? limits.saveWaitMs : limits.saveStartMs;
  }

  function rejectAll(error: unknown): void {
    for (const { reject } of waiting) reject(error);
    waiting.clear();
  }

  /** Prepares, waits for a place and starts a thread, unless nobody waits any more. */
  async function sit(): Promise<void> {
    try {
      const prepared = await prepare();
      if (waiting.size === 0) return;
      place = await places.take(owner);
      if (waiting.size > 0) thread = open(prepared);
    } catch (error) {
      rejectAll(error);
    }
  }

  /** The first call's host hears of it. A save does not wait for it beyond its time, and the guest begins all the same. */
  async function begin(own: GuestThread): Promise<void> {
    const [first] = waiting;
    if (first === undefined || own.hasBegun()) return;
    if (lane === 'other') clearTimeout(first.timer);
    await own.begin(first.call.host).catch((error: unknown) => {
      waiting.delete(first);
      first.reject(error);
    });
  }

  /** Until nothing waits, the guest was stopped, or others have waited for the place long enough. */
  async function workThrough(own: GuestThread): Promise<void> {
    const until = clock.now() + limits.turnMs;
    await begin(own);
    if (own.isOver()) return;
    for (const next of waiting) {
      waiting.delete(next);
      clearTimeout(next.timer);
      await own.call(next.call).then(next.resolve, next.reject);
      if (own.isOver() || (place?.isWanted() && clock.now() >= until)) return;
    }
  }

  async function leave(): Promise<void> {
    clearTimeout(idle);
    const ending = thread;
    thread = null;
    place = null;
    await ending?.end();
  }

  /** Gives the place on at once if there is no thread to keep. */
  function rest(): void {
    const own = place;
    if (own === null) return;
    if (!hasThread()) {
      thread = null;
      place = null;
      own.release();
      return;
    }
    own.rest(leave);
    idle = setTimeout(() => {
      if (own.wake()) void leave().finally(own.release);
    }, limits.idleMs).unref();
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    while (waiting.size > 0) {
      clearTimeout(idle);
      if (place?.wake() && !hasThread()) rest();
      if (place === null) await sit();
      if (thread) await workThrough(thread);
      rest();
    }
    isWorking = false;
  }

  return {
    call(call) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const waitMs = patience();
      const timer = setTimeout(() => {
        if (waiting.delete(mine))
          reject(new GuestError('busy', `No guest was free for it within ${waitMs} ms`));
      }, waitMs);
      const mine: Waiting = { call, timer, resolve, reject };
      waiting.add(mine);
      void work();
      return promise.finally(() => clearTimeout(timer));
    },
    hasThread,
    async end() {
      rejectAll(new GuestError('ended', 'The guest was ended'));
      const own = place;
      if (own?.wake()) await leave().finally(own.release);
      else await thread?.end();
    },
    isEmpty: () => !isWorking && !hasThread(),
  };
}
