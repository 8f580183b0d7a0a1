import type { Clock } from '../../../kit/clock.ts';
import { type GuestCallName, type GuestCalls, guestResults } from '../calls.ts';
import {
  type Guest,
  type GuestCallOptions,
  type GuestComponent,
  GuestError,
  type GuestLimits,
  type Guests,
} from '../guests.ts';
import { type Shape, ShapeError } from '../shapes.ts';
import { openGuest } from './guest-thread.ts';
import { createPlaces } from './places.ts';
import { createPreparedCache } from './prepared-cache.ts';
import { createSeat, type Seat } from './seat.ts';

export interface WasmGuestsOptions {
  /** For translations; may be deleted at any time. */
  cacheFolder: string;
  clock: Clock;
  limits?: Partial<GuestLimits>;
}

const LIMITS: GuestLimits = { mostThreads: 8, idleMs: 60_000, turnMs: 1_000, waitMs: 5_000, startMs: 10_000 };

/** Where the translation has the functions of the world. */
const FUNCTIONS: Readonly<Record<GuestCallName, readonly [of: string, method: string]>> = {
  'get-info': ['metadata', 'getInfo'],
  'on-entity-validate': ['hooks', 'onEntityValidate'],
  'on-entity-save': ['hooks', 'onEntitySave'],
  'on-entity-create': ['hooks', 'onEntityCreate'],
  'on-entity-delete': ['hooks', 'onEntityDelete'],
  'on-project-init': ['hooks', 'onProjectInit'],
  'handle-request': ['routes', 'handleRequest'],
};

interface Taken {
  hash: string;
  seat: Seat;
}

/** Guests translated to JavaScript by `prepareGuest`, in worker threads. */
export function createWasmGuests({ cacheFolder, clock, limits: given = {} }: WasmGuestsOptions): Guests {
  const limits = { ...LIMITS, ...given };
  const cache = createPreparedCache(cacheFolder);
  const places = createPlaces(limits.mostThreads);
  const taken = new Map<string, Taken>();

  const createSeatFor = (component: GuestComponent): Seat =>
    createSeat({
      limits,
      clock,
      places,
      prepare: () => cache.get(component),
      open: (prepared) => openGuest(prepared, limits.startMs),
    });

  function seatOf(key: string, component: GuestComponent): Seat {
    const known = taken.get(key);
    if (known?.hash === component.hash) return known.seat;
    void known?.seat.end();
    const seat = createSeatFor(component);
    taken.set(key, { hash: component.hash, seat });
    return seat;
  }

  /** Keys come and go with projects. */
  function forgetEmpty(): void {
    for (const [key, { seat }] of taken) if (seat.isEmpty()) taken.delete(key);
  }

  async function call<Name extends GuestCallName>(
    seat: Seat,
    name: Name,
    args: readonly unknown[],
    { deadlineMs, host }: GuestCallOptions,
  ): Promise<GuestCalls[Name]['result']> {
    const [of, method] = FUNCTIONS[name];
    const order = { interface: `canonry:plugin/${of}@1.0.0`, method, args, deadlineMs, host };
    return readResult(guestResults[name], await seat.call(order));
  }

  return {
    open(key, component): Guest {
      return {
        async shape() {
          const { exports, imports } = await cache.get(component);
          return { exports, imports };
        },
        call: (name, args, options) => {
          forgetEmpty();
          return call(seatOf(key, component), name, args, options);
        },
      };
    },
    async end(key) {
      await taken.get(key)?.seat.end();
      taken.delete(key);
    },
    running: () => [...taken].filter(([, { seat }]) => seat.hasThread()).map(([key]) => key),
    async close() {
      await Promise.all(taken.values().map(({ seat }) => seat.end()));
      taken.clear();
    },
  };
}

function readResult<Result>(shape: Shape<Result>, value: unknown): Result {
  try {
    return shape(value, 'its result');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new GuestError('bad_result', error.message);
  }
}
