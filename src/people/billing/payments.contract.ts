import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, optionalBody } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { Count, closed, NullableText, named, oneOf, Text } from '../../kit/schemas.ts';
import { Interval, TAG } from './prices.contract.ts';

const ofOwners = {
  auth: 'bearer',
  peopleOnly: true,
  role: PERMISSIONS.manage_billing,
  tag: TAG,
} as const;

const Address = Type.String({ minLength: 1, maxLength: 2000 });
const returns = {
  success_url: Type.Optional(Address),
  cancel_url: Type.Optional(Address),
};
const RETURNS =
  'The addresses to come back to must be our own (PUBLIC_URL, CORS_ORIGINS); by default it is the page `/settings/billing`.';
const REPEATED = 'An `Idempotency-Key`, or an equal request while the page is open, returns the same page.';

const OpenedPage = named('OpenedCheckout', {
  checkout_id: Text,
  url: Type.String({ description: "The provider's page: send the browser there" }),
});
const opened = { checkout_id: 'cs_test_1', url: 'https://checkout.stripe.com/c/pay/cs_test_1' };

export const openCheckout = contract('POST /api/billing/checkout', {
  ...ofOwners,
  name: 'openCheckout',
  summary: 'Open a page to subscribe',
  description: `It closes the tenant's earlier pages for a plan. ${REPEATED} ${RETURNS} A tenant has one trial, of 14 days. 409 if there is a subscription already: change it by \`PUT /api/billing/subscription\`.`,
  body: closed({
    plan: oneOf(['indie', 'team', 'enterprise'] as const),
    interval: Type.Optional(Interval),
    seats: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    trial: Type.Optional(Type.Boolean()),
    ...returns,
  }),
  reply: OpenedPage,
  errors: [402, 404, 409, 503],
  example: { body: { plan: 'team', interval: 'month', seats: 5 }, reply: opened },
});

export const purchaseTokens = contract('POST /api/billing/purchase-tokens', {
  ...ofOwners,
  name: 'purchaseTokens',
  summary: 'Open a page to buy credits',
  description: `Bought credits never expire; they are there once the payment arrived. ${REPEATED} ${RETURNS}`,
  body: closed({
    block: Type.String({ minLength: 1, maxLength: 200, description: 'Its `block` or `price_id`' }),
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    ...returns,
  }),
  reply: OpenedPage,
  errors: [402, 404, 409, 503],
  example: { body: { block: 'credits_500', quantity: 1 }, reply: opened },
});

export const openPortal = contract('POST /api/billing/portal', {
  ...ofOwners,
  name: 'openPortal',
  summary: "Address of the provider's page for card, invoices and cancelling",
  description: `Good for minutes. ${RETURNS} 409 before the first purchase.`,
  body: optionalBody({ return_url: Type.Optional(Address) }),
  reply: named('Portal', { url: Text }),
  errors: [409, 503],
  example: { body: {}, reply: { url: 'https://billing.stripe.com/p/session/test_1' } },
});

export const goToPortal = contract('GET /api/billing/portal', {
  ...ofOwners,
  name: 'goToPortal',
  summary: "Go to the provider's page for card, invoices and cancelling",
  reply: Type.String(),
  replyType: 'text/html',
  status: 302,
  errors: [409, 503],
});

export const listInvoices = contract('GET /api/billing/invoices', {
  ...ofOwners,
  name: 'listInvoices',
  summary: 'Invoices, the newest first',
  description: 'Without a key of the provider: those whose payment was reported.',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    after: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The last id of the page before' }),
    ),
  }),
  reply: named('Invoices', {
    configured: Type.Boolean(),
    invoices: Type.Array(
      Type.Object({
        invoice_id: Text,
        number: NullableText,
        status: Text,
        amount_due: Type.Integer(),
        amount_paid: Type.Integer(),
        currency: Text,
        period_start: NullableText,
        period_end: NullableText,
        created_at: Text,
        paid_at: NullableText,
        page_url: NullableText,
        pdf_url: NullableText,
      }),
    ),
    has_more: Type.Boolean(),
  }),
  errors: [503],
  example: {
    reply: {
      configured: true,
      invoices: [
        {
          invoice_id: 'in_1',
          number: 'CAN-0001',
          status: 'paid',
          amount_due: 9500,
          amount_paid: 9500,
          currency: 'eur',
          period_start: '2026-03-04T05:06:07.890Z',
          period_end: '2026-04-04T05:06:07.890Z',
          created_at: '2026-03-04T05:06:07.890Z',
          paid_at: '2026-03-04T05:06:09.000Z',
          page_url: 'https://invoice.stripe.com/i/1',
          pdf_url: 'https://invoice.stripe.com/i/1/pdf',
        },
      ],
      has_more: false,
    },
  },
});

export const listPurchases = contract('GET /api/billing/purchase-history', {
  ...ofOwners,
  name: 'listPurchases',
  summary: 'Credits that were bought, the newest first',
  query: Type.Object(pageQuery),
  reply: pageReply({
    purchases: Type.Array(
      Type.Object({
        checkout_id: Text,
        user_id: Text,
        credits: Count,
        amount: Type.Integer(),
        currency: Text,
        status: Type.Unsafe<'pending' | 'booked' | 'held'>({
          type: 'string',
          enum: ['pending', 'booked', 'held'],
          description: '`pending`: not paid yet; `held`: those who run the service have to look at it',
        }),
        created_at: Text,
        booked_at: NullableText,
      }),
    ),
  }),
  example: {
    reply: {
      total: 1,
      offset: 0,
      limit: 50,
      purchases: [
        {
          checkout_id: 'cs_test_2',
          user_id: '0d5a3a3e-7a2f-4b0e-9a55-1f2c3d4e5f60',
          credits: 500,
          amount: 500,
          currency: 'eur',
          status: 'booked',
          created_at: '2026-03-04T05:06:07.890Z',
          booked_at: '2026-03-04T05:06:09.000Z',
        },
      ],
    },
  },
});
