import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { createQueue } from '../../kit/queue.ts';

const TIMEOUT_MS = 3_000;
const MOST_WAITING = 100;

/**
 * DNS is queried over sockets: the system's look-up would block one of the few threads for file reads for as long as a
 * server is silent. The system is asked, one name at a time, only about names that DNS does not know, such as those of a
 * hosts file.
 */
export function createResolve(): (hostname: string) => Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const inTurn = createQueue({
    atOnce: 1,
    mostWaiting: MOST_WAITING,
    whenFull: () => new Error('Too many names are looked up'),
  });

  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [...addressesIn(four, 4), ...addressesIn(six, 6)];
    if (found.length > 0) return found;
    if ([four, six].some(isSilent)) throw new Error(`The name servers do not answer for ${hostname}`);
    return inTurn(() => lookup(hostname, { all: true }));
  };
}

const addressesIn = (result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];

const isSilent = (result: PromiseSettledResult<string[]>): boolean =>
  result.status === 'rejected' && (result.reason as NodeJS.ErrnoException).code === 'ETIMEOUT';
