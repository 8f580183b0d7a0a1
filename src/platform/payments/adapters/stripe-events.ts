import Stripe from 'stripe';
import {
  type PaymentEvent,
  type PaymentEventObject,
  type PaymentEvents,
  PaymentsError,
} from '../payments.ts';
import { isObject, type Json, objectIn, textIn, timeIn } from './json.ts';
import { readInvoice } from './read-invoice.ts';
import { readCheckout, readSubscription } from './read-objects.ts';

const TOLERANCE_SECONDS = 300;

export function createStripeEvents({ secret }: { secret: string }): PaymentEvents {
  return {
    read: (payload, signature, nowMs) =>
      readEvent(objectIn(verified(payload, signature ?? '', { secret, nowMs }))),
  };
}

/** Nothing of the body is read before its signature was found right. */
function verified(
  payload: Buffer,
  signature: string,
  { secret, nowMs }: { secret: string; nowMs: number },
): unknown {
  try {
    return Stripe.webhooks.constructEvent(payload, signature, secret, TOLERANCE_SECONDS, undefined, nowMs);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      throw new PaymentsError('unauthorized', 'The signature of the event is missing, wrong or too old');
    throw new PaymentsError('invalid', 'The body is no event');
  }
}

function readEvent(json: Json): PaymentEvent {
  const eventId = textIn(json.id);
  const type = textIn(json.type);
  const createdAt = timeIn(json.created);
  const { object } = objectIn(json.data);
  if (json.object !== 'event' || eventId === null || type === null || createdAt === null || !isObject(object))
    throw new PaymentsError('invalid', 'The body is no event');
  return {
    eventId,
    type,
    createdAt,
    apiVersion: textIn(json.api_version),
    isLive: json.livemode === true,
    object: readObject(object),
  };
}

function readObject(json: Json): PaymentEventObject {
  const checkout = readCheckout(json);
  if (checkout) return { kind: 'checkout', checkout };
  const subscription = readSubscription(json);
  if (subscription) return { kind: 'subscription', subscription };
  const invoice = readInvoice(json);
  if (invoice) return { kind: 'invoice', invoice };
  return { kind: 'other', objectId: textIn(json.id) };
}
