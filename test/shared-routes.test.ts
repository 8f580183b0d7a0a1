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
// What a plan lacks is refused before anything that these tests are about.
await accounts.tenants.changePlan(accounts.first.tenantId, 'enterprise');
const { token: accountsAdmin } = await accounts.person('owner');
const { token: accountsViewer } = await accounts.person('viewer');
after(() => Promise.all([core.close(), accounts.close(), desktop.close()]));

describe('core', () => testEveryRoute({ ...core, viewerToken: coreViewer }));
describe('accounts', () =>
  testEveryRoute({
    ...accounts,
    adminToken: accountsAdmin,
    viewerToken: accountsViewer,
    serviceToken: accounts.serviceToken,
  }));
/** What an install has more than a core, beside some routes that need a token there as well. */
describe('desktop', () =>
  testEveryRoute({
    ...desktop,
    contracts: desktop.contracts.filter(({ tag }) => tag === 'Desktop' || tag === 'Sync'),
    viewerToken: desktopViewer,
  }));
