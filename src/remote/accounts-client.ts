import { createClient } from '../client/client.ts';
import type { ReplyOf } from '../kit/contract.ts';
import { listAccessChanges } from '../people/access-changes/access-changes.contract.ts';
import { getJwks } from '../people/accounts/accounts.contract.ts';
import { introspectApiKey } from '../people/api-keys/introspection.contract.ts';
import type { AccountsPort } from '../people/cloud-identity/index.ts';
import { getSignInOptions } from '../people/oauth/sign-in-options.contract.ts';
import { forgetTenant, listEndedTenants } from '../people/tenant-deletion/deletion.contract.ts';
import type { EndedTenantsPort } from '../world/tenant-removal/index.ts';
import { boundedTransport, createServiceCalls } from './service-calls.ts';

const checkedCall = createServiceCalls('The accounts service');

export interface SignInOptionsPort {
  signInOptions(): Promise<ReplyOf<typeof getSignInOptions>>;
}

/** Calls the accounts service over HTTP, with limits on time and bytes; each reply is checked against its contract. */
export function createAccountsClient(options: {
  url: string;
  serviceToken: string;
}): AccountsPort & EndedTenantsPort & SignInOptionsPort {
  const client = createClient({
    contracts: {
      getJwks,
      listAccessChanges,
      introspectApiKey,
      listEndedTenants,
      forgetTenant,
      getSignInOptions,
    },
    baseUrl: options.url,
    token: options.serviceToken,
    fetch: boundedTransport({ answerMs: 3_000, mostBytes: 1024 * 1024 }),
  });
  const listEnded = checkedCall(listEndedTenants, () => client.listEndedTenants());
  return {
    keys: checkedCall(getJwks, () => client.getJwks()),
    accessChanges: checkedCall(listAccessChanges, (after: number) =>
      client.listAccessChanges({ query: { after } }),
    ),
    introspect: checkedCall(introspectApiKey, (key: string) => client.introspectApiKey({ body: { key } })),
    signInOptions: checkedCall(getSignInOptions, () => client.getSignInOptions()),
    endedTenants: async () => (await listEnded()).tenant_ids,
    async forgetTenant(tenantId) {
      await client.forgetTenant({ params: { tenant_id: tenantId } });
    },
  };
}
