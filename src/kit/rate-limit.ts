import { isIPv6 } from 'node:net';
import type { Clock } from './clock.ts';
import type { LimitKind, RateDecision, RateLimit } from './http/rate-limit.ts';

const WINDOW_MS = 60_000;
const MOST_REMEMBERED = 20_000;
/** After a failure the shared counter is left alone this long; otherwise each request would wait for it in vain. */
const LEFT_ALONE_MS = 5_000;

export interface RateLimitOptions {
  /** The key-value store's counter in a fixed window. */
  increment: (key: string, options: { ttlMs: number }) => Promise<{ count: number; resetAtMs: number }>;
  /** Requests per minute; 0 for no limit. */
  limits: Readonly<Record<LimitKind, number>>;
  clock: Clock;
}

/** Requests that this process may still serve without asking the shared counter again. */
interface Lease {
  left: number;
  /** Requests of the window that all processes were granted, including this lease. */
  given: number;
  resetAtMs: number;
}

/**
 * Counts requests in fixed windows of a minute that all processes share. A process reserves blocks of a hundredth of the
 * limit, so that most requests are counted without a round trip; small limits are exact. While the shared counter is
 * away, each process grants by itself what it knows to be left of the window: a limit is never off.
 */
export function createRateLimit({ increment, limits, clock }: RateLimitOptions): RateLimit {
  const leases = new Map<string, Lease>();
  const asked = new Map<string, Promise<void>>();
  let leftAloneUntilMs = 0;

  async function sharedLease(key: string, limit: number, block: number): Promise<Lease | null> {
    if (clock.now() < leftAloneUntilMs) return null;
    try {
      const window = await increment(`rate:${key}`, { ttlMs: WINDOW_MS });
      const { count } = window;
      // The store's clock may be behind ours; without this, a window that already ended would be requested
      // again and again.
      const resetAtMs = Math.max(window.resetAtMs, clock.now() + 1000);
      const given = Math.min(limit, count * block);
      return { left: Math.max(0, given - (count - 1) * block), given, resetAtMs };
    } catch {
      leftAloneUntilMs = clock.now() + LEFT_ALONE_MS;
      return null;
    }
  }

  function ownLease(key: string, limit: number): Lease {
    const { given, resetAtMs } = leases.get(key) ?? { given: 0, resetAtMs: clock.now() + WINDOW_MS };
    return { left: limit - given, given: limit, resetAtMs };
  }

  async function ask(key: string, limit: number, block: number): Promise<void> {
    const lease = (await sharedLease(key, limit, block)) ?? ownLease(key, limit);
    if (leases.size >= MOST_REMEMBERED) forgetOldest(leases);
    leases.set(key, lease);
  }

  function take(key: string, limit: number): RateDecision | null {
    const lease = leases.get(key);
    if (lease === undefined) return null;
    if (lease.resetAtMs <= clock.now()) {
      leases.delete(key);
      return null;
    }
    const allowed = lease.left > 0;
    if (!allowed && lease.given < limit) return null;
    if (allowed) lease.left -= 1;
    const remaining = limit - lease.given + lease.left;
    return {
      allowed,
      limit,
      remaining,
      resetSeconds: Math.max(1, Math.ceil((lease.resetAtMs - clock.now()) / 1000)),
    };
  }

  async function count(key: string, limit: number, block: number): Promise<RateDecision> {
    for (;;) {
      const decision = take(key, limit);
      if (decision) return decision;
      const asking = asked.get(key) ?? ask(key, limit, block).finally(() => asked.delete(key));
      asked.set(key, asking);
      await asking;
    }
  }

  return (kind, who) => {
    const limit = limits[kind];
    if (limit === 0) return null;
    const key = `${kind}:${subscriberOf(who)}`;
    const block = Math.max(1, Math.floor(limit / 100));
    return take(key, limit) ?? count(key, limit, block);
  };
}

function forgetOldest(leases: Map<string, Lease>): void {
  const oldest = leases.keys().next();
  if (!oldest.done) leases.delete(oldest.value);
}

/** A subscriber has a whole /64 of IPv6 addresses, so these count as one; other text stays as it is. */
export function subscriberOf(who: string): string {
  const address = who.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]?.toLowerCase().split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...(tail === undefined ? [] : zeros), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
