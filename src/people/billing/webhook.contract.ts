import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';
import { TAG } from './prices.contract.ts';

const BODY_LIMIT = 1024 * 1024;

export const receiveBillingEvent = contract('POST /api/billing/webhook', {
  name: 'receiveBillingEvent',
  auth: 'signature',
  tag: TAG,
  summary: 'Receive an event of the billing provider',
  description:
    'For the provider alone, which signs the raw body in the header `Billing-Signature` (`t=…,v1=…`, at most five minutes old). An event counts once: a repeated one is acknowledged with `duplicate`. 503 asks the provider to send it again.',
  stream: { mediaType: 'application/json', description: 'The event as the provider sends it' },
  bodyLimit: BODY_LIMIT,
  reply: named('BillingReceipt', {
    received: Type.Boolean(),
    duplicate: Type.Optional(Type.Boolean()),
  }),
  errors: [400, 409, 413, 503],
  example: { reply: { received: true } },
});
