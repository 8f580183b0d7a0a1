import type { CreditReservation } from '../../access/credits.ts';
import type { BodyOf } from '../../kit/contract.ts';
import type { releaseCredits } from './internal-credits.contract.ts';

export type WireReservation = BodyOf<typeof releaseCredits>['reservation'];

export const toWireReservation = ({
  tenantId,
  userId,
  reservationId,
  operation,
  amount,
  expiresAtMs,
}: CreditReservation): WireReservation => ({
  tenant_id: tenantId,
  user_id: userId,
  reservation_id: reservationId,
  operation: wireOperation(operation),
  amount,
  expires_at_ms: expiresAtMs,
});

export const wireOperation = ({ id, kind, provider }: CreditReservation['operation']) => ({
  id,
  kind,
  ...(provider !== undefined && { provider }),
});

export const fromWireReservation = (wire: WireReservation): CreditReservation => ({
  tenantId: wire.tenant_id,
  userId: wire.user_id,
  reservationId: wire.reservation_id,
  operation: wire.operation,
  amount: wire.amount,
  expiresAtMs: wire.expires_at_ms,
});
