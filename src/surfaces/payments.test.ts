import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPaymentServer } from '../../test/support/payments/payment-server.ts';
import { openPaymentEvents, openPayments } from './payments.ts';

test('the provider is asked only where it is configured', async (t) => {
  assert.equal(await openPayments({ billingApiKey: null, billingApiBase: null }), null);
  assert.equal(await openPaymentEvents({ billingWebhookSecret: null }), null);
  const server = await startPaymentServer();
  t.after(() => server.close());
  const payments = await openPayments({ billingApiKey: server.apiKey, billingApiBase: server.url });
  await payments?.probe();
  payments?.close();
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['/v1/balance'],
  );
  const events = await openPaymentEvents({ billingWebhookSecret: server.webhookSecret });
  const { payload, headers } = server.makeEvent('charge.refunded', { id: 'ch_1', object: 'charge' });
  const event = events?.read(Buffer.from(payload), headers['billing-signature'], server.now());
  assert.equal(event?.type, 'charge.refunded');
});
