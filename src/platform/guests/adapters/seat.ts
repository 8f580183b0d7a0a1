import type { Clock } from '../../../kit/clock.ts';
import { GuestError, type GuestLimits } from '../guests.ts';
import type { GuestThread, ThreadCall } from './guest-thread.ts';
import type { Place, Places } from './places.ts';

export interface SeatOptions {
  limits: GuestLimits;
  clock: Clock;
  places: Places;
  /** Resolves once there is a translation to begin with. */
  prepare(): Promise<void>;
  begin(call: ThreadCall): Promise<GuestThread>;
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
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const ended = () => new GuestError('ended', 'The guest was ended');

/** The calls of one guest, one after another, in a thread that is started when there is a call and a place for it. */
export function createSeat({ limits, clock, places, prepare, begin }: SeatOptions): Seat {
  const waiting = new Set<Waiting>();
  let thread: GuestThread | null = null;
  let place: Place | null = null;
  let isWorking = false;
  /** How often `end` was called: a thread that was being started then is not used. */
  let ends = 0;
  let idle: NodeJS.Timeout | undefined;

  function next(): Waiting | undefined {
    const first = waiting.values().next().value;
    if (first) waiting.delete(first);
    return first;
  }

  /** Ends the thread and gives the place on. */
  async function leave(): Promise<void> {
    clearTimeout(idle);
    const ending = thread;
    thread = null;
    place = null;
    await ending?.end();
  }

  function rest(): void {
    const resting = place;
    if (resting === null) return;
    if (thread === null) {
      place = null;
      resting.release();
      return;
    }
    resting.rest(leave);
    idle = setTimeout(() => {
      if (resting.wake()) void leave().finally(resting.release);
    }, limits.idleMs).unref();
  }

  function rejectAll(error: unknown): void {
    for (const { reject } of waiting) reject(error);
    waiting.clear();
  }

  async function running(call: ThreadCall): Promise<GuestThread> {
    if (thread && !thread.isOver()) return thread;
    const before = ends;
    const begun = await begin(call);
    if (ends === before) return begun;
    await begun.end();
    throw ended();
  }

  async function perform({ call, resolve, reject }: Waiting): Promise<void> {
    try {
      thread = await running(call);
      resolve(await thread.call(call));
    } catch (error) {
      reject(error);
    }
    if (thread?.isOver()) thread = null;
  }

  /** Until nothing waits, or others have waited for the place long enough. */
  async function workThrough(): Promise<void> {
    const until = clock.now() + limits.turnMs;
    for (let first = next(); first; first = next()) {
      await perform(first);
      if (place?.isWanted() && clock.now() >= until) return;
    }
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    while (waiting.size > 0) {
      clearTimeout(idle);
      if (!place?.wake()) {
        await prepare().catch(rejectAll);
        if (waiting.size === 0) break;
        place = await places.take();
      }
      await workThrough();
      rest();
    }
    isWorking = false;
  }

  return {
    call(call) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const mine: Waiting = { call, resolve, reject };
      waiting.add(mine);
      const timer = setTimeout(() => {
        if (waiting.delete(mine))
          reject(new GuestError('busy', `No guest was free for it within ${limits.waitMs} ms`));
      }, limits.waitMs);
      void work();
      return promise.finally(() => clearTimeout(timer));
    },
    hasThread: () => thread !== null && !thread.isOver(),
    async end() {
      ends += 1;
      rejectAll(ended());
      const resting = place;
      if (resting?.wake()) await leave().finally(resting.release);
      else await thread?.end();
    },
    isEmpty: () => !isWorking && thread === null,
  };
}
