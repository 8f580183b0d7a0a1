import type { CreditReservation, Credits } from '../../access/credits.ts';
import type { Clock } from '../../kit/clock.ts';
import { creditsRefused } from '../../kit/credits-refused.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { AiCaller, Spending } from './models.ts';

export interface Purse {
  /** Charges what the work took, at most what was reserved. `remaining` is -1 where nobody counts. */
  settle(price: number): Promise<{ charged: number; remaining: number }>;
}

export interface PurseOptions {
  credits: Credits;
  clock: Clock;
  log: Log;
}

const NOTHING = { charged: 0, remaining: -1 };

/** A lease is renewed when this part of it is left. */
const RENEW_AT = 0.5;
const SOONEST_RENEWAL_MS = 100;

/**
 * Reserves credits for a work and keeps the reservation alive until it is settled; 402 if there are too few. What a killed
 * process has reserved lapses with its lease.
 */
export async function openPurse(
  { tenantId, userId }: AiCaller,
  { operation: { id, kind }, provider }: Pick<Spending, 'operation' | 'provider'>,
  most: number,
  { credits, clock, log }: PurseOptions,
): Promise<Purse> {
  const actor = { tenantId, userId };
  const operation = { id, kind, provider: provider.name };
  const reply = await credits.reserve(actor, most, operation);
  if (reply.outcome === 'refused') throw creditsRefused(reply);
  // Paid for before a crash: the work may be done again.
  if (reply.outcome === 'settled') return { settle: async () => ({ ...NOTHING, charged: reply.charged }) };
  let { reservation } = reply;
  let renewal: NodeJS.Timeout | undefined;

  function renewLater({ expiresAtMs }: CreditReservation): void {
    if (expiresAtMs === null) return;
    const inMs = Math.max(SOONEST_RENEWAL_MS, (expiresAtMs - clock.now()) * RENEW_AT);
    renewal = setTimeout(() => void renew(), inMs).unref();
  }
  async function renew(): Promise<void> {
    try {
      const again = await credits.reserve(actor, most, operation);
      if (again.outcome === 'reserved') reservation = again.reservation;
    } catch (error) {
      log.warn(`the reservation of ${operation.kind} was not renewed: ${messageOf(error)}`);
    }
    if (renewal !== undefined) renewLater(reservation);
  }
  renewLater(reservation);

  return {
    async settle(price) {
      clearTimeout(renewal);
      renewal = undefined;
      if (price === 0) {
        await credits.release(reservation);
        return NOTHING;
      }
      const settled = await credits.settle(reservation, price);
      return settled.outcome === 'settled' ? settled : NOTHING;
    },
  };
}

/** For what costs nothing. */
export const freePurse: Purse = { settle: async () => NOTHING };
