import type { Contract } from '../kit/contract.ts';
import { callOf } from './call.ts';
import { type CallClientOptions, type Client, createCallClient } from './call-client.ts';

export interface ClientOptions<Contracts> extends CallClientOptions {
  contracts: Contracts;
}

/** Returns a typed client for the contracts; it runs in browsers and in Node. A lost connection rejects as `fetch` does. */
export function createClient<const Contracts extends Readonly<Record<string, Contract>>>({
  contracts,
  ...options
}: ClientOptions<Contracts>): Client<Contracts> {
  const calls = Object.fromEntries(
    Object.entries(contracts).map(([name, contract]) => [name, callOf(contract)]),
  );
  return createCallClient<Contracts>(
    calls as { [Name in keyof Contracts]: ReturnType<typeof callOf> },
    options,
  );
}
