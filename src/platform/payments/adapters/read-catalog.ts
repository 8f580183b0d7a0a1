import type { BillingInterval, PaymentPrice, PaymentProduct } from '../payments.ts';
import { idIn, type Json, metadataIn, objectIn, textIn, wholeIn } from './json.ts';

/** In the metadata of products. */
export const MARKS = {
  code: 'canonry_code',
  plan: 'canonry_plan',
  credits: 'canonry_credits',
  perSeat: 'canonry_per_seat',
} as const;

/** Null for a price that is not a fixed amount once, each month or each year. */
export function readPrice(json: Json): PaymentPrice | null {
  const priceId = textIn(json.id);
  const amount = wholeIn(json.unit_amount);
  const currency = textIn(json.currency);
  const interval = intervalIn(json.recurring);
  if (priceId === null || amount === null || currency === null || interval === undefined) return null;
  return { priceId, amount, currency, interval };
}

/** Undefined for other intervals. */
function intervalIn(recurring: unknown): BillingInterval | null | undefined {
  if (recurring === null || recurring === undefined) return null;
  const { interval, interval_count: count = 1 } = objectIn(recurring);
  return count === 1 && (interval === 'month' || interval === 'year') ? interval : undefined;
}

export function readProduct(json: Json, prices: PaymentPrice[]): PaymentProduct | null {
  const productId = textIn(json.id);
  if (productId === null) return null;
  const metadata = metadataIn(json.metadata);
  const credits = metadata[MARKS.credits];
  return {
    productId,
    code: textIn(metadata[MARKS.code]),
    name: textIn(json.name) ?? productId,
    description: textIn(json.description) ?? '',
    plan: textIn(metadata[MARKS.plan]),
    credits: credits !== undefined && /^\d{1,12}$/.test(credits) ? Number(credits) : null,
    perSeat: metadata[MARKS.perSeat] === 'true',
    prices,
  };
}

export const productOf = (price: Json): string | null => idIn(price.product);
