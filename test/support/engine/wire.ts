import { type Change, type Replica, ReplicaError } from '../../../src/exchange/sync/index.ts';
import type { Random } from '../replica/random.ts';
import type { Life } from './life.ts';

export interface WireOptions {
  random: Random;
  /** The share of requests that fail in some way. */
  faults(): number;
  life: Life;
  /** Sent before, and may arrive a second time much later. */
  late: (readonly Change[])[];
  meanwhile(): void;
}

const lost = () => new ReplicaError('unreachable', 'nothing came back');

/** Loses, repeats and delays requests. */
export function overWire(replica: Replica, { random, faults, life, late, meanwhile }: WireOptions): Replica {
  const mayFail = () => {
    life.live();
    if (random.chance(faults())) throw lost();
  };
  const carry = async <Reply>(ask: () => Promise<Reply>): Promise<Reply> => {
    mayFail();
    meanwhile();
    const reply = await ask();
    meanwhile();
    mayFail();
    return reply;
  };
  return {
    ...replica,
    get requests() {
      return replica.requests;
    },
    changes: (cursor) => carry(() => replica.changes(cursor)),
    bytes: (file) => carry(() => replica.bytes(file)),
    put: (changes, options) => {
      if (random.chance(faults())) late.push(changes);
      return carry(async () => {
        if (random.chance(faults())) await replica.put(changes, options);
        return replica.put(changes, options);
      });
    },
  };
}
