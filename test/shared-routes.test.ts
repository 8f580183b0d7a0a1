import { after, describe } from 'node:test';
import { startAccounts } from './support/accounts.ts';
import { startCore } from './support/core.ts';
import { testEveryRoute } from './support/every-route.ts';
import { viewerToken } from './support/sample-request.ts';

const core = await startCore();
const accounts = await startAccounts();
const desktop = await startCore({ surface: 'desktop' });
const coreViewer = await viewerToken(core.app);
const desktopViewer = await viewerToken(desktop.app);
// The plan's limits would come first and hide what is tested.
await accounts.tenants.changePlan(accounts.first.tenantId, 'enterprise');
const { token: accountsAdmin } = await accounts.person('owner');
const { token: accountsViewer } = await accounts.person('viewer');
const namesOfCore = new Set(core.contracts.map(({ name }) => name));
after(() => Promise.all([core.close(), accounts.close(), desktop.close()]));

describe('core', () => testEveryRoute({ ...core, viewerToken: coreViewer }));
describe('accounts', () =>
  testEveryRoute({
    ...accounts,
    adminToken: accountsAdmin,
    viewerToken: accountsViewer,
    serviceToken: accounts.serviceToken,
  }));
/** Only routes beyond a core's, apart from some that need a token here as well. */
describe('desktop', () =>
  testEveryRoute({
    ...desktop,
    contracts: desktop.contracts.filter(
      ({ tag, name }) => tag === 'Desktop' || tag === 'Sync' || !namesOfCore.has(name),
    ),
    viewerToken: desktopViewer,
  }));
