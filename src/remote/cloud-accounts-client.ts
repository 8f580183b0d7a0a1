import { createClient } from '../client/client.ts';
import { CloudError } from '../exchange/cloud/index.ts';
import type { CloudAccounts } from '../exchange/desktop/index.ts';
import { logoutAccount, refreshAccount } from '../people/accounts/accounts.contract.ts';
import { exchangeOAuth } from '../people/oauth/oauth.contract.ts';
import type { PrivateEndpoints } from '../platform/outgoing/outgoing.ts';
import { checkedCall } from './cloud-calls.ts';
import { createCloudTransport } from './cloud-transport.ts';

const contracts = { exchangeOAuth, logoutAccount, refreshAccount };

export function createCloudAccountsClient(privateEndpoints: PrivateEndpoints): CloudAccounts {
  const fetch = createCloudTransport(privateEndpoints).exchange;
  const clientOf = (baseUrl: string, token?: string) =>
    createClient({ contracts, baseUrl, fetch, ...(token !== undefined && { token }) });

  const logout = (url: string, access: string, refresh_token: string) =>
    checkedCall(logoutAccount, () => clientOf(url, access).logoutAccount({ body: { refresh_token } }))();

  async function renewed(url: string, refresh_token: string) {
    const body = { refresh_token };
    const tokens = await checkedCall(refreshAccount, () => clientOf(url).refreshAccount({ body }))();
    return { access: tokens.access_token, refresh: tokens.refresh_token ?? refresh_token };
  }

  return {
    async exchange(url, code, code_verifier) {
      const exchange = checkedCall(exchangeOAuth, () =>
        clientOf(url).exchangeOAuth({ body: { code, code_verifier } }),
      );
      const { access_token, refresh_token, expires_in, email } = await exchange();
      return { access_token, refresh_token, expires_in, account: email };
    },
    async revoke(url, { access_token, refresh_token }) {
      try {
        await logout(url, access_token, refresh_token);
      } catch (error) {
        if (!(error instanceof CloudError && error.code === 'signed_out')) throw error;
        const { access, refresh } = await renewed(url, refresh_token);
        await logout(url, access, refresh);
      }
    },
  };
}
