import type { BillingContext } from './context.ts';

export interface OverLimit {
  limit: 'seats';
  used: number;
  allowed: number;
  message: string;
}

/** Lists the things of which a tenant has more than its plan allows. They stay; only new ones have to wait. */
export async function overLimits(
  { countMembers }: Pick<BillingContext, 'countMembers'>,
  tenantId: string,
  seats: number,
): Promise<OverLimit[]> {
  const used = await countMembers(tenantId);
  if (seats < 0 || used <= seats) return [];
  const more = used - seats;
  return [
    {
      limit: 'seats',
      used,
      allowed: seats,
      message: `${used} people share ${seats === 1 ? 'one seat' : `${seats} seats`}: everybody can work on, but nobody else can join until ${more === 1 ? 'one of them leaves' : `${more} of them leave`} or there are more seats`,
    },
  ];
}
