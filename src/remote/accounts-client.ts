import { createClient, type Transport } from '../client/client.ts';
import type { Contract } from '../kit/contract.ts';
import { messageOf, unavailable } from '../kit/errors.ts';
import { readBounded } from '../kit/http/bounded-body.ts';
import { createChecker } from '../kit/http/validation.ts';
import { listAccessChanges } from '../people/access-changes/access-changes.contract.ts';
import { getJwks } from '../people/accounts/accounts.contract.ts';
import { introspectApiKey } from '../people/api-keys/introspection.contract.ts';
import type { AccountsPort } from '../people/cloud-identity/index.ts';
import { forgetTenant, listEndedTenants } from '../people/tenant-deletion/deletion.contract.ts';
import type { EndedTenantsPort } from '../world/tenant-removal/index.ts';

const ANSWER_MS = 3_000;
const MOST_BYTES = 1024 * 1024;

const boundedFetch: Transport = async (url, request) => {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(url, { ...request, signal, redirect: 'error' });
  const { status, headers } = response;
  return new Response(await readBounded(response.body, MOST_BYTES), { status, headers });
};

/** Calls the accounts service over HTTP, with limits on time and bytes; each reply is checked against its contract. */
export function createAccountsClient(options: {
  url: string;
  serviceToken: string;
}): AccountsPort & EndedTenantsPort {
  const client = createClient({
    contracts: { getJwks, listAccessChanges, introspectApiKey, listEndedTenants, forgetTenant },
    baseUrl: options.url,
    token: options.serviceToken,
    fetch: boundedFetch,
  });
  const listEnded = checkedCall(listEndedTenants, () => client.listEndedTenants());
  return {
    keys: checkedCall(getJwks, () => client.getJwks()),
    accessChanges: checkedCall(listAccessChanges, (after: number) =>
      client.listAccessChanges({ query: { after } }),
    ),
    introspect: checkedCall(introspectApiKey, (key: string) => client.introspectApiKey({ body: { key } })),
    endedTenants: async () => (await listEnded()).tenant_ids,
    async forgetTenant(tenantId) {
      await client.forgetTenant({ params: { tenant_id: tenantId } });
    },
  };
}

function checkedCall<Arguments extends unknown[], Reply>(
  contract: Contract,
  call: (...given: Arguments) => Promise<Reply>,
): (...given: Arguments) => Promise<Reply> {
  const check = createChecker(contract.reply);
  return async (...given) => {
    const reply = await call(...given).catch((error: unknown) => {
      throw unavailable(`The accounts service does not answer (${messageOf(error)})`);
    });
    if (check(reply)) throw unavailable('The accounts service answers in a form that is not known here');
    return reply;
  };
}
