import type { Invoice } from '../payments.ts';
import { idIn, type Json, listIn, objectIn, oneOf, textIn, timeIn, wholeIn } from './json.ts';

/** Null for an object that is no invoice, or lacks what every invoice has. */
export function readInvoice(json: Json): Invoice | null {
  const customerId = idIn(json.customer);
  const currency = textIn(json.currency);
  const createdAt = timeIn(json.created);
  if (json.object !== 'invoice' || customerId === null || currency === null || createdAt === null)
    return null;
  const subscriptionId = subscriptionIn(json);
  return {
    invoiceId: textIn(json.id) ?? '',
    number: textIn(json.number),
    status: oneOf(['draft', 'open', 'paid', 'uncollectible', 'void'], json.status) ?? 'draft',
    customerId,
    subscriptionId,
    reason: textIn(json.billing_reason),
    amountDue: wholeIn(json.amount_due) ?? 0,
    amountPaid: wholeIn(json.amount_paid) ?? 0,
    currency,
    ...(subscriptionId === null ? { periodStart: null, periodEnd: null } : periodIn(json)),
    createdAt,
    paidAt: timeIn(objectIn(json.status_transitions).paid_at),
    pageUrl: textIn(json.hosted_invoice_url),
    pdfUrl: textIn(json.invoice_pdf),
  };
}

/** Versions before 2025-03-31 have it on the invoice itself. */
const subscriptionIn = ({ parent, subscription }: Json): string | null =>
  idIn(objectIn(objectIn(parent).subscription_details).subscription) ?? idIn(subscription);

/** The invoice's own period is the one before for a renewal; that of a line is the one that it pays for. */
function periodIn({ lines }: Json): { periodStart: number | null; periodEnd: number | null } {
  const periods = listIn(lines)
    .map((line) => ({
      start: timeIn(objectIn(line.period).start),
      end: timeIn(objectIn(line.period).end),
      isProration: isProration(line),
    }))
    .sort((a, b) => Number(a.isProration) - Number(b.isProration) || (b.end ?? 0) - (a.end ?? 0));
  return { periodStart: periods[0]?.start ?? null, periodEnd: periods[0]?.end ?? null };
}

const isProration = ({ parent, proration }: Json): boolean =>
  proration === true || Object.values(objectIn(parent)).some((each) => objectIn(each).proration === true);
