import type { Clock } from '../../../kit/clock.ts';
import { type GuestCallName, type GuestCalls, guestResults } from '../calls.ts';
import {
  type Guest,
  type GuestCallOptions,
  type GuestComponent,
  GuestError,
  type GuestLane,
  type GuestLimits,
  type GuestPlace,
  type Guests,
} from '../guests.ts';
import { type Shape, ShapeError } from '../shapes.ts';
import { openGuest } from './guest-thread.ts';
import { createPlaces } from './places.ts';
import { prepareGuest } from './prepare-guest.ts';
import { createPreparedCache } from './prepared-cache.ts';
import { createSeat, type Seat } from './seat.ts';

export interface WasmGuestsOptions {
  /** For translations; may be deleted at any time. */
  cacheFolder: string;
  clock: Clock;
  limits?: Partial<GuestLimits>;
}

const LIMITS: GuestLimits = {
  mostThreads: 4,
  mostOfOwner: 2,
  idleMs: 60_000,
  turnMs: 1_000,
  waitMs: 5_000,
  saveWaitMs: 250,
  saveStartMs: 2_000,
  startMs: 10_000,
};
const LANES: readonly GuestLane[] = ['saves', 'other'];

/** The names of the world's functions in the translation. */
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
  key: string;
  hash: string;
  seat: Seat;
}

/** Guests translated to JavaScript by `prepareGuest`, in worker threads. */
export function createWasmGuests({ cacheFolder, clock, limits: given = {} }: WasmGuestsOptions): Guests {
  const limits = { ...LIMITS, ...given };
  const cache = createPreparedCache({ folder: cacheFolder, clock, prepare: prepareGuest });
  const createLane = () => createPlaces({ most: limits.mostThreads, mostOfOwner: limits.mostOfOwner });
  const places = { saves: createLane(), other: createLane() };
  const taken = new Map<string, Taken>();
  const nameOf = (key: string, lane: GuestLane): string => `${lane} ${key}`;

  const createSeatFor = (component: GuestComponent, owner: string, lane: GuestLane): Seat =>
    createSeat({
      limits,
      owner,
      lane,
      clock,
      places: places[lane],
      prepare: () => cache.get(component, owner),
      open: (prepared) => openGuest(prepared, limits.startMs),
    });

  function seatOf(
    key: string,
    component: GuestComponent,
    { owner, lane = 'other' }: GuestPlace & { owner: string },
  ): Seat {
    const name = nameOf(key, lane);
    const known = taken.get(name);
    if (known?.hash === component.hash) return known.seat;
    void known?.seat.end();
    const seat = createSeatFor(component, owner, lane);
    taken.set(name, { key, hash: component.hash, seat });
    return seat;
  }

  /** Keys come and go with projects. */
  function forgetEmpty(): void {
    for (const [name, { seat }] of taken) if (seat.isEmpty()) taken.delete(name);
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
    open(key, component, given = {}): Guest {
      const place = { owner: key, ...given };
      return {
        shape: () => cache.shape(component, place.owner),
        readyShape: () => cache.readyShape(component, place.owner),
        call: (name, args, options) => {
          forgetEmpty();
          return call(seatOf(key, component, place), name, args, options);
        },
      };
    },
    async end(key) {
      const names = LANES.map((lane) => nameOf(key, lane));
      const ending = names.map((name) => taken.get(name)?.seat.end());
      for (const name of names) taken.delete(name);
      await Promise.all(ending);
    },
    running: () => [
      ...new Set([...taken.values()].filter(({ seat }) => seat.hasThread()).map(({ key }) => key)),
    ],
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
