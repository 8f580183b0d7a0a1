import { PLANS, type PlanName } from '../content/plans.ts';
import { derivedSecret } from '../kit/secret-box.ts';
import { createSignedAddresses } from '../kit/signed-addresses.ts';
import { createCloudIdentity } from '../modules/cloud-identity/cloud-identity.module.ts';
import { createSharpImages } from '../platform/images/adapters/sharp-images.ts';
import { createAccountsClient } from './accounts-client.ts';
import { browserSessions, cookieNamesOf } from './browser-sessions.ts';
import { type ContentCore, type CoreOptions, startContentCore } from './content-core.ts';
import { sharedFolder } from './folders.ts';
import { openTenantFolders } from './platform.ts';
import { openBase } from './service.ts';

/** So often a core asks whose access changed: with the answer's time, changes count within 5 seconds. */
const ASK_EVERY_MS = 2_000;

export interface CloudCoreOptions extends CoreOptions {
  /** Tests ask more often. */
  askEveryMs?: number;
}

/** A core of the cloud: content of many tenants, beside others like it; people are the accounts service's. */
export async function createCloudCore(options: CloudCoreOptions): Promise<ContentCore> {
  const { config, log, clock, askEveryMs = ASK_EVERY_MS } = options;
  const { accountsUrl, serviceToken } = config;
  if (accountsUrl === null || serviceToken === null)
    throw new Error('a core of the cloud needs ACCOUNTS_URL and SERVICE_TOKEN');
  const identity = createCloudIdentity({
    accounts: createAccountsClient({ url: accountsUrl, serviceToken }),
    clock,
    log: log.child('identity'),
    everyMs: askEveryMs,
  });
  const tenancy = {
    modules: [identity],
    authenticate: identity.authenticate,
    anonymous: null,
    folders: await openTenantFolders(config),
    workFolder: sharedFolder(config.contentDir),
    worksItself: false,
    localStorage: null,
    images: createSharpImages(),
    planOf: identity.planOf,
    storageLimitOf: (plan: PlanName) => PLANS[plan].storage_bytes,
    nameOf: async () => null,
    probeAccounts: identity.probe,
    signedAddresses: createSignedAddresses({
      secret: derivedSecret(config.encryptionKey, 'signed addresses'),
      clock,
    }),
    cookies: browserSessions(config.corsOrigins, config.publicUrl, cookieNamesOf(config, config.publicUrl)),
  };
  return startContentCore(await openBase(options), tenancy, options);
}
