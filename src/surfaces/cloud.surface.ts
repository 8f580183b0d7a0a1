import { access } from 'node:fs/promises';
import { PLANS, type PlanName } from '../access/plans.ts';
import { assemble } from '../frame/assemble.ts';
import type { Config } from '../kit/config/index.ts';
import { removeTree } from '../kit/remove-tree.ts';
import { derivedSecret } from '../kit/secret-box.ts';
import { createSignedAddresses } from '../kit/signed-addresses.ts';
import { cloudIdentityModule } from '../people/cloud-identity/index.ts';
import { createSharpImages } from '../platform/images/adapters/sharp-images.ts';
import { createAccountsClient } from '../remote/accounts-client.ts';
import { createCreditsClient } from '../remote/credits-client.ts';
import { createDriveAccountsClient } from '../remote/drive-accounts-client.ts';
import { forwardedRoutes } from '../remote/forwarded-routes.ts';
import { MONEY_CONTRACTS } from '../remote/money-contracts.ts';
import { tenantRemovalModule } from '../world/tenant-removal/index.ts';
import { browserSessions, cookieNamesOf } from './browser-sessions.ts';
import { type ContentCore, type CoreKind, type CoreOptions, startContentCore } from './content-core.ts';
import { foldersOfTenant, sharedFolder } from './folders.ts';
import { cloudInstallation } from './installation.ts';
import { moneyTags } from './money.ts';
import { openTenantFolders } from './platform.ts';
import { openBase } from './service.ts';

/** Milliseconds between two looks for tenants to remove. */
const LOOK_FOR_ENDED_MS = 10 * 60_000;
/** Milliseconds between two requests for access changes. With the reply's time, a change takes effect within 5 seconds. */
const ASK_EVERY_MS = 2_000;

export interface CloudCoreOptions extends CoreOptions {
  askEveryMs?: number;
  lookForEndedMs?: number;
}

/** A core of the cloud: content of many tenants, beside other such cores; people belong to the accounts service. */
export async function createCloudCore(options: CloudCoreOptions): Promise<ContentCore> {
  const { config, clock, askEveryMs = ASK_EVERY_MS, lookForEndedMs = LOOK_FOR_ENDED_MS } = options;
  const { accountsUrl, serviceToken } = config;
  if (accountsUrl === null || serviceToken === null)
    throw new Error('a core of the cloud needs ACCOUNTS_URL and SERVICE_TOKEN');
  const base = await openBase(options);
  const accounts = createAccountsClient({ url: accountsUrl, serviceToken });
  const people = assemble({ ...base, accounts, askEveryMs }, [cloudIdentityModule]);
  const identity = people.service(cloudIdentityModule);
  const tenantRemoval = {
    accounts,
    removeFolders: (tenantId: string, signal: AbortSignal) => removeFolders(config, tenantId, signal),
    everyMs: lookForEndedMs,
  };
  const service = { url: accountsUrl, serviceToken };
  const kind: CoreKind = {
    people: {
      modules: [...people.modules, { name: 'money', routes: forwardedRoutes(MONEY_CONTRACTS, service) }],
      tags: { ...people.tags, ...moneyTags },
    },
    credits: createCreditsClient(service),
    driveAccounts: createDriveAccountsClient({ ...service, clock }),
    authenticate: identity.authenticate,
    anonymous: null,
    folders: await openTenantFolders(config),
    workFolder: sharedFolder(config.contentDir),
    worksItself: false,
    installation: cloudInstallation(accounts, clock),
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
    above: (context, content) => assemble({ ...context, tenantRemoval }, [tenantRemovalModule], content),
    cookies: browserSessions(config.corsOrigins, config.publicUrl, cookieNamesOf(config, config.publicUrl)),
  };
  return startContentCore(base, kind, options);
}

/** Rejects while the content folder is missing, such as an unmounted disk: otherwise the removal would count as done. */
async function removeFolders(
  { contentDir }: Pick<Config, 'contentDir'>,
  tenantId: string,
  signal: AbortSignal,
): Promise<void> {
  await access(sharedFolder(contentDir));
  for (const folder of foldersOfTenant(contentDir, tenantId)) await removeTree(folder, signal);
}
