import type { Transport } from '../client/call-client.ts';
import type { Contract } from '../kit/contract.ts';
import { HttpError, messageOf, unavailable } from '../kit/errors.ts';
import { readBounded } from '../kit/http/bounded-body.ts';
import { createChecker } from '../kit/http/validation.ts';

/** Calls of another surface of the installation end in time, and take no more bytes than that. */
export const boundedTransport =
  ({ answerMs, mostBytes }: { answerMs: number; mostBytes: number }): Transport =>
  async (url, request) => {
    const signal = AbortSignal.timeout(answerMs);
    const response = await fetch(url, { ...request, signal, redirect: 'error' });
    const { status, headers } = response;
    return new Response(await readBounded(response.body, mostBytes), { status, headers });
  };

/**
 * Makes calls whose replies are checked against their contracts; 503 if `surface`, such as `the ledger`, fails in any way that the call
 * has not made an `HttpError` of.
 */
export const createServiceCalls =
  (surface: string) =>
  <Arguments extends unknown[], Reply>(
    contract: Contract,
    call: (...given: Arguments) => Promise<Reply>,
  ): ((...given: Arguments) => Promise<Reply>) => {
    const check = createChecker(contract.reply);
    return async (...given) => {
      const reply = await call(...given).catch((error: unknown) => {
        if (error instanceof HttpError) throw error;
        throw unavailable(`${surface} does not answer (${messageOf(error)})`);
      });
      if (check(reply)) throw unavailable(`${surface} answers in a form that is not known here`);
      return reply;
    };
  };
