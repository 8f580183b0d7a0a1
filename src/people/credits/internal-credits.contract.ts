import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { Count, closed, NullableInteger } from '../../kit/schemas.ts';

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Credits = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const shared = { auth: 'service', tag: 'Between services' } as const;

const Operation = closed({
  id: Name,
  kind: Type.String({ minLength: 1, maxLength: 64 }),
  provider: Type.Optional(Type.String({ maxLength: 200 })),
});
const Reservation = closed({
  tenant_id: Name,
  user_id: Name,
  reservation_id: Name,
  operation: Operation,
  amount: Credits,
  expires_at_ms: NullableInteger,
});

const Charged = Type.Object({ outcome: Type.Literal('settled'), charged: Count });
const operation = { id: '7f0c1f5e-8f57-4a53-9d2b-3a3f0f6d2c11', kind: 'ai_generate' };
const reservation = {
  tenant_id: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
  user_id: '5d1c9d56-3a10-4d4f-9f7e-2f6a0a4b8f11',
  reservation_id: '42',
  operation,
  amount: 20,
  expires_at_ms: 1_772_600_887_890,
};

export const reserveCredits = contract('POST /internal/credits/reserve', {
  ...shared,
  name: 'reserveCredits',
  summary: 'Set credits aside for a work',
  description:
    'For cores. Repeated for the same operation, it renews the reservation, which lapses two minutes after the last call and fifteen after the first.',
  body: closed({ tenant_id: Name, user_id: Name, amount: Credits, operation: Operation }),
  reply: Type.Union([
    Type.Object({ outcome: Type.Literal('reserved'), reservation: Reservation }),
    Charged,
    Type.Object({
      outcome: Type.Literal('refused'),
      needed: Count,
      available: Count,
      reason: Type.Optional(Type.Enum(['user_quota', 'team_quota'])),
      balance: Type.Optional(Count),
    }),
  ]),
  example: {
    body: { tenant_id: reservation.tenant_id, user_id: reservation.user_id, amount: 20, operation },
    reply: { outcome: 'reserved', reservation },
  },
});

export const settleCredits = contract('POST /internal/credits/settle', {
  ...shared,
  name: 'settleCredits',
  summary: 'Charge what a work took, at most what was reserved',
  description: 'Repeated, it says what was charged the first time.',
  body: closed({ reservation: Reservation, actual: Type.Integer({ minimum: 0 }) }),
  reply: Type.Union([
    Type.Object({
      ...Charged.properties,
      remaining: Type.Integer({ minimum: -1, description: '-1: any number' }),
    }),
    Type.Object({ outcome: Type.Literal('lapsed') }),
  ]),
  example: {
    body: { reservation, actual: 12 },
    reply: { outcome: 'settled', charged: 12, remaining: 868 },
  },
});

export const releaseCredits = contract('POST /internal/credits/release', {
  ...shared,
  name: 'releaseCredits',
  summary: 'Free what was reserved',
  body: closed({ reservation: Reservation }),
  reply: Type.Union([Type.Object({ outcome: Type.Literal('released') }), Charged]),
  example: { body: { reservation }, reply: { outcome: 'released' } },
});
