import type { Credits } from '../../access/credits.ts';
import { type Route, route } from '../../kit/route.ts';
import { releaseCredits, reserveCredits, settleCredits } from './internal-credits.contract.ts';
import { fromWireReservation, toWireReservation } from './reservation-wire.ts';

export const internalCreditRoutes = (credits: Credits): Route[] => [
  route(reserveCredits, async ({ body: { tenant_id, user_id, amount, operation } }) => {
    const actor = { tenantId: tenant_id, userId: user_id };
    const reply = await credits.reserve(actor, amount, operation);
    return reply.outcome === 'reserved'
      ? { outcome: 'reserved' as const, reservation: toWireReservation(reply.reservation) }
      : reply;
  }),
  route(settleCredits, ({ body: { reservation, actual } }) =>
    credits.settle(fromWireReservation(reservation), actual),
  ),
  route(releaseCredits, ({ body: { reservation } }) => credits.release(fromWireReservation(reservation))),
];
