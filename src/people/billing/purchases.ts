import { moneyText } from '../../platform/payments/money.ts';
import type { Checkout, PaymentProduct } from '../../platform/payments/payments.ts';
import type { CheckoutRow } from './billing.tables.ts';

/** More than any block: a number beyond it is a mistake in the provider's data. */
const MOST_CREDITS = 10_000_000;

export interface BoughtCredits {
  tenantId: string;
  userId: string;
  credits: number;
}

interface Priced {
  amount: number;
  currency: string;
  credits: number;
}

export interface PurchaseEvidence {
  checkout: Checkout;
  /** As the event said it. */
  event: Checkout;
  /** Null without a key: the signed event alone counts then. */
  products: readonly PaymentProduct[] | null;
  /** The checkout that we opened, if we did: it has the price of that time. */
  opened: CheckoutRow | null;
}

/** The credits of a paid checkout, or the reason why none may be booked for it. */
export function checkPurchase(evidence: PurchaseEvidence): BoughtCredits | { problem: string } {
  const { checkout, event, products } = evidence;
  const { tenant_id: tenantId, user_id: userId } = checkout.metadata;
  const stated = creditsIn(checkout);
  if (!tenantId || !userId) return { problem: 'its metadata lacks tenant_id or user_id' };
  if (checkout.userId !== userId)
    return { problem: 'client_reference_id and metadata.user_id name different people' };
  if (stated === null) return { problem: 'metadata.credits is no number of credits' };
  if (checkout.amount <= 0) return { problem: 'nothing was paid' };
  if (products === null) return { tenantId, userId, credits: stated };
  if (event.amount !== checkout.amount || event.currency !== checkout.currency)
    return { problem: `the event says ${moneyText(event)}, the provider ${moneyText(checkout)}` };
  const priced = priceOf(evidence, products);
  if ('problem' in priced) return priced;
  if (priced.amount !== checkout.amount || priced.currency !== checkout.currency)
    return { problem: `${moneyText(checkout)} was paid for what costs ${moneyText(priced)}` };
  if (priced.credits !== stated)
    return { problem: `metadata says ${stated} credits, the product ${priced.credits}` };
  return { tenantId, userId, credits: priced.credits };
}

export function creditsIn({ metadata }: Checkout): number | null {
  const credits = /^[1-9]\d{0,9}$/.test(metadata.credits ?? '') ? Number(metadata.credits) : 0;
  return credits > 0 && credits <= MOST_CREDITS ? credits : null;
}

function priceOf(
  { checkout, opened }: PurchaseEvidence,
  products: readonly PaymentProduct[],
): Priced | { problem: string } {
  if (checkout.lines.length === 0) return { problem: 'it lists nothing that was bought' };
  const sum: Priced = { amount: 0, currency: checkout.currency, credits: 0 };
  for (const { priceId, quantity } of checkout.lines) {
    const one = blockAt(products, priceId) ?? openedAt(opened, priceId);
    if (one === null) return { problem: `${priceId} is no price of a block of credits` };
    if (one.currency !== checkout.currency) return { problem: `${priceId} is in another currency` };
    sum.amount += one.amount * quantity;
    sum.credits += one.credits * quantity;
  }
  return sum;
}

function blockAt(products: readonly PaymentProduct[], priceId: string): Priced | null {
  for (const { credits, prices } of products) {
    const price = prices.find((each) => each.priceId === priceId);
    if (price && credits !== null && price.interval === null)
      return { amount: price.amount, currency: price.currency, credits };
  }
  return null;
}

/** A price that was replaced while the page was open is not on sale any more. */
const openedAt = (opened: CheckoutRow | null, priceId: string): Priced | null =>
  opened !== null && opened.price_id === priceId && opened.credits > 0
    ? { amount: opened.amount, currency: opened.currency, credits: opened.credits }
    : null;
