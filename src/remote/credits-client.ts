import { type Credits, requireCredits } from '../access/credits.ts';
import { createClient, type Transport } from '../client/client.ts';
import { ClientError } from '../client/error.ts';
import type { Contract } from '../kit/contract.ts';
import { messageOf, unavailable } from '../kit/errors.ts';
import { readBounded } from '../kit/http/bounded-body.ts';
import { createChecker } from '../kit/http/validation.ts';
import { fromWireReservation, toWireReservation, wireOperation } from '../people/credits/index.ts';
import {
  releaseCredits,
  reserveCredits,
  settleCredits,
} from '../people/credits/internal-credits.contract.ts';

const ANSWER_MS = 5_000;
const MOST_BYTES = 64 * 1024;

const boundedFetch: Transport = async (url, request) => {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(url, { ...request, signal, redirect: 'error' });
  const { status, headers } = response;
  return new Response(await readBounded(response.body, MOST_BYTES), { status, headers });
};

/** The ledger of the accounts service, over HTTP. Each call may be repeated, so one whose reply was lost is, once. */
export function createCreditsClient(options: { url: string; serviceToken: string }): Credits {
  const client = createClient({
    contracts: { reserveCredits, settleCredits, releaseCredits },
    baseUrl: options.url,
    token: options.serviceToken,
    fetch: boundedFetch,
  });
  const reserve = checkedCall(reserveCredits, client.reserveCredits);
  const settle = checkedCall(settleCredits, client.settleCredits);
  const release = checkedCall(releaseCredits, client.releaseCredits);
  return {
    async reserve({ tenantId, userId }, amount, operation) {
      requireCredits(amount);
      const body = { tenant_id: tenantId, user_id: userId, amount, operation: wireOperation(operation) };
      const reply = await reserve({ body });
      return reply.outcome === 'reserved'
        ? { outcome: 'reserved', reservation: fromWireReservation(reply.reservation) }
        : reply;
    },
    async settle(reservation, actual) {
      requireCredits(actual);
      return settle({ body: { reservation: toWireReservation(reservation), actual } });
    },
    release: async (reservation) => release({ body: { reservation: toWireReservation(reservation) } }),
  };
}

function checkedCall<Call, Reply>(
  contract: Contract,
  call: (given: Call) => Promise<Reply>,
): (given: Call) => Promise<Reply> {
  const check = createChecker(contract.reply);
  const again = (given: Call) => (error: unknown) => {
    if (error instanceof ClientError) throw error;
    return call(given);
  };
  return async (given) => {
    const reply = await call(given)
      .catch(again(given))
      .catch((error: unknown) => {
        throw unavailable(`The ledger of credits does not answer (${messageOf(error)})`);
      });
    if (check(reply)) throw unavailable('The ledger of credits answers in a form that is not known here');
    return reply;
  };
}
