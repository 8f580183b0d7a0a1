import { sha256Hex } from '../../../kit/crypto.ts';
import { createLastUsed } from '../../../kit/last-used.ts';
import type { LlmError, ModelAddress } from '../llm.ts';

const MOST_KNOWN = 1_000;
/** Such a refusal says nothing of other schemas, which may be those of other people. */
const ONE_SCHEMA = /invalid.{0,10}schema|schema.{0,40}invalid/i;

/** The models that take no schema with a request, for a while: a provider may learn it. */
export function createDeclinedSchemas(forMs: number) {
  const known = createLastUsed<number>({ most: MOST_KNOWN });
  const keyOf = ({ kind, baseUrl, model, apiKey }: ModelAddress): string =>
    sha256Hex(JSON.stringify([kind, baseUrl, model, apiKey]));
  return {
    has: (address: ModelAddress): boolean => (known.get(keyOf(address)) ?? 0) > performance.now(),
    add(address: ModelAddress, { message }: LlmError): void {
      if (!ONE_SCHEMA.test(message)) known.set(keyOf(address), performance.now() + forMs);
    },
  };
}

export type DeclinedSchemas = ReturnType<typeof createDeclinedSchemas>;
