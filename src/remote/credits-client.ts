import { type Credits, requireCredits } from '../access/credits.ts';
import { createClient } from '../client/client.ts';
import { ClientError } from '../client/error.ts';
import { fromWireReservation, toWireReservation, wireOperation } from '../people/credits/index.ts';
import {
  releaseCredits,
  reserveCredits,
  settleCredits,
} from '../people/credits/internal-credits.contract.ts';
import { boundedTransport, createServiceCalls } from './service-calls.ts';

const checkedCall = createServiceCalls('The ledger of credits');

/** The ledger of the accounts service, over HTTP. Each call may be repeated, so one whose reply was lost is, once. */
export function createCreditsClient(options: { url: string; serviceToken: string }): Credits {
  const client = createClient({
    contracts: { reserveCredits, settleCredits, releaseCredits },
    baseUrl: options.url,
    token: options.serviceToken,
    fetch: boundedTransport({ answerMs: 5_000, mostBytes: 64 * 1024 }),
  });
  const reserve = checkedCall(reserveCredits, repeated(client.reserveCredits));
  const settle = checkedCall(settleCredits, repeated(client.settleCredits));
  const release = checkedCall(releaseCredits, repeated(client.releaseCredits));
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

/** Once more if the reply was lost. */
const repeated =
  <Call, Reply>(call: (given: Call) => Promise<Reply>): ((given: Call) => Promise<Reply>) =>
  (given) =>
    call(given).catch((error: unknown) => {
      if (error instanceof ClientError) throw error;
      return call(given);
    });
