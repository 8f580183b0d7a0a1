import { conflict, HttpError, messageOf, unavailable } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { PaymentsError } from '../../platform/payments/payments.ts';

const WAIT_SECONDS = 10;

/** Told to the caller when the provider does not do as asked. Details of the account are for the log alone. */
function refusalOf(error: unknown, log: Log): unknown {
  if (!(error instanceof PaymentsError)) return error;
  switch (error.code) {
    case 'unavailable':
    case 'limited':
      return unavailable('The billing provider does not answer; try again soon', WAIT_SECONDS);
    case 'unauthorized':
      log.error(`the billing provider refuses BILLING_API_KEY: ${messageOf(error)}`);
      return unavailable(
        'The billing provider refuses this installation; its operators find the reason in the log',
        60,
      );
    case 'refused':
      return new HttpError(402, 'The payment was declined, and nothing was changed: use another card', {
        code: 'payment_declined',
      });
    case 'conflict':
      return conflict('The billing provider is busy with another change of this: try again', {
        code: 'changed_meanwhile',
      });
    case 'invalid':
      log.warn(`the billing provider refused a request: ${messageOf(error)}`);
      return conflict('The billing provider does not accept this: look at the subscription and try again', {
        code: 'refused_by_provider',
      });
  }
}

/** Runs work that asks the provider, with its errors as replies. */
export async function asking<Result>(log: Log, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error, log);
  }
}

export const noKey = (): HttpError =>
  conflict('Billing is not set up here: set BILLING_API_KEY (see docs/billing.md)', {
    code: 'not_configured',
  });
