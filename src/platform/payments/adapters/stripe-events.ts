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
    read(payload, signature, nowMs) {
      if (!isSigned(payload, signature ?? '', { secret, nowMs }))
        throw new PaymentsError('unauthorized', 'The signature of the event is missing, wrong or too old');
      return readEvent(parsed(payload));
    },
  };
}

interface Expected {
  secret: string;
  nowMs: number;
}

/** The library throws for every signature that it does not accept, of different kinds for malformed ones. */
function isSigned(payload: Buffer, signature: string, { secret, nowMs }: Expected): boolean {
  const verifier = Stripe.webhooks.signature;
  try {
    return verifier?.verifyHeader(payload, signature, secret, TOLERANCE_SECONDS, undefined, nowMs) === true;
  } catch {
    return false;
  }
}

function parsed(payload: Buffer): Json {
  try {
    return objectIn(JSON.parse(payload.toString()));
  } catch {
    throw new PaymentsError('invalid', 'The body is not JSON');
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
