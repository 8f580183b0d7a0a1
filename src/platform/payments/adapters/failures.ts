import Stripe from 'stripe';
import { cutAfter } from '../../../text/cut.ts';
import { PaymentsError } from '../payments.ts';

const MOST_SHOWN = 300;

/** Any failure of the library in words that may be shown: without the key, headers and request. */
export function toPaymentsError(error: unknown, apiKey: string): PaymentsError {
  if (error instanceof PaymentsError) return error;
  if (!(error instanceof Stripe.errors.StripeError))
    return new PaymentsError('unavailable', "The billing provider's answer was not understood", {
      cause: error,
    });
  const { message, requestId } = error;
  const about = requestId ? `${message} (request ${requestId})` : message;
  return new PaymentsError(codeOf(error), cutAfter(about.replaceAll(apiKey, '…'), MOST_SHOWN));
}

export const isUnknown = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.statusCode === 404 && error.code === 'resource_missing';

function codeOf({ statusCode = 0, code }: Stripe.errors.StripeError): PaymentsError['code'] {
  if (statusCode === 409 || code === 'lock_timeout') return 'conflict';
  if (statusCode === 429 || code === 'rate_limit') return 'limited';
  if (statusCode === 402) return 'refused';
  if (statusCode === 401 || statusCode === 403) return 'unauthorized';
  return statusCode >= 400 && statusCode < 500 ? 'invalid' : 'unavailable';
}
