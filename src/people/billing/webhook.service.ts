import { badRequest, conflict, messageOf, unavailable } from '../../kit/errors.ts';
import { type PaymentEvent, PaymentsError } from '../../platform/payments/payments.ts';
import type { EventRow } from './billing.tables.ts';
import { isEventType } from './catalog.ts';
import { createCheckoutEffects } from './checkout-effects.ts';
import { type Effect, type EffectTools, noEffect, type Outcome } from './effects.ts';
import { createEventStore, insertEvent, noteOutcome } from './events.store.ts';
import { createInvoiceEffects } from './invoice-effects.ts';
import { lockOf, lockOfTenant } from './locks.ts';
import { createHearing, createSubscriptionEffects } from './subscription-effects.ts';

const MOST_KEPT = 64 * 1024;
const RETRY_SECONDS = 30;

export interface Receipt {
  received: true;
  duplicate?: true;
}

/** Receives the provider's events: each is stored and takes effect in one transaction, once. */
export function createWebhooks(tools: EffectTools, upkeepSoon: () => void) {
  const { context } = tools;
  const { database, paymentEvents, letters, clock, log } = context;
  const { system } = database;
  const store = createEventStore(system);
  const hear = createHearing(tools);
  const ofSubscription = createSubscriptionEffects(tools, hear);
  const ofInvoice = createInvoiceEffects(tools, hear);
  const ofCheckout = createCheckoutEffects(tools, hear);

  function read(payload: Buffer, signature: string | undefined): PaymentEvent {
    if (paymentEvents === null)
      throw conflict('Webhooks are not set up here: set BILLING_WEBHOOK_SECRET (see docs/billing.md)', {
        code: 'not_configured',
      });
    try {
      return paymentEvents.read(payload, signature, clock.now());
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      if (error.code === 'unauthorized') throw badRequest(error.message, { code: 'invalid_signature' });
      throw badRequest(error.message, { code: 'invalid_event' });
    }
  }

  async function prepare(event: PaymentEvent): Promise<Effect> {
    const { type, object, createdAt } = event;
    if (!isEventType(type)) return noEffect('unknown_type', 'nothing here follows from such an event');
    if (object.kind === 'subscription') return ofSubscription(event, object.subscription);
    if (object.kind === 'invoice') return ofInvoice(event, object.invoice);
    if (object.kind === 'checkout') return ofCheckout(object.checkout, createdAt);
    return noEffect('held', `the object of ${event.eventId} was not understood`);
  }

  /** Null if somebody else stored the event meanwhile. */
  const storeWith = (row: EventRow, effect: Effect): Promise<Outcome | null> =>
    system.write(async (db) => {
      if (!(await insertEvent(db, row))) return null;
      const done = await effect.apply(db);
      const { outcome, note = null } = done;
      await noteOutcome(db, row.event_id, { outcome, note, tenant_id: effect.tenantId });
      return done;
    });

  async function take(event: PaymentEvent, payload: Buffer): Promise<Receipt> {
    if (await store.isKnown(event.eventId)) return { received: true, duplicate: true };
    const effect = await prepare(event);
    const row = rowOf(event, payload, clock.now());
    const { tenantId } = effect;
    const done = await (tenantId === null
      ? storeWith(row, effect)
      : system.exclusive(lockOfTenant(tenantId), () => storeWith(row, effect)));
    if (done === null) return { received: true, duplicate: true };
    letters.soon();
    if (done.alarm !== undefined) {
      log.error(`billing event ${event.eventId}: ${done.alarm}`);
      upkeepSoon();
    }
    return { received: true };
  }

  return {
    /** 400 for a wrong signature; 503, so that the provider sends it again, while something needed for it does not answer. */
    async receive(payload: Buffer, signature: string | undefined): Promise<Receipt> {
      const event = read(payload, signature);
      try {
        return await system.exclusive(lockOf(event), () => take(event, payload));
      } catch (error) {
        if (!(error instanceof PaymentsError)) throw error;
        const line = `billing event ${event.eventId} has to wait: ${messageOf(error)}`;
        if (error.code === 'unauthorized') log.error(line);
        else log.warn(line);
        throw unavailable('The billing provider does not answer; send the event again', RETRY_SECONDS);
      }
    },
    /** For news that came without an event. */
    hear,
    ofCheckout,
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

const rowOf = (
  { eventId, type, createdAt, object }: PaymentEvent,
  payload: Buffer,
  nowMs: number,
): EventRow => ({
  event_id: eventId,
  type,
  created_at: createdAt,
  received_at: nowMs,
  outcome: 'ignored',
  tenant_id: null,
  object_id: objectIdOf(object),
  note: null,
  payload: payload.subarray(0, MOST_KEPT).toString(),
});

function objectIdOf(object: PaymentEvent['object']): string | null {
  switch (object.kind) {
    case 'checkout':
      return object.checkout.checkoutId;
    case 'subscription':
      return object.subscription.subscriptionId;
    case 'invoice':
      return object.invoice.invoiceId;
    case 'other':
      return object.objectId;
  }
}
