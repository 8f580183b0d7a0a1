import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { PLANS, ROLES } from '../src/access/plans.ts';
import type { Contract } from '../src/kit/contract.ts';
import { startAccounts } from './support/accounts.ts';
import { startCore } from './support/core.ts';
import { startPeople } from './support/people.ts';
import { callersOfAccounts, keysOf, nobody } from './support/role-callers.ts';
import { type Caller, testRoleMatrix } from './support/role-matrix.ts';
import { sampleRequest } from './support/sample-request.ts';

const [core, accounts] = await Promise.all([startPeople(), startAccounts()]);
after(() => Promise.all([core.close(), accounts.close()]));

async function callersOfCore(): Promise<Caller[]> {
  const plan = 'enterprise';
  const { first, ...cast } = core.cast;
  const stranger = await core.person('owner', 'elsewhere');
  return [
    nobody,
    { who: 'the first user', role: 'owner', plan, token: first.token },
    ...ROLES.map((role): Caller => ({ who: role, role, plan, token: cast[role].token })),
    { who: 'an owner elsewhere', role: 'owner', plan, token: stranger.token },
    ...(await keysOf(core.ask, cast.owner.token, plan)),
  ];
}

const [coreCallers, accountsCallers] = await Promise.all([callersOfCore(), callersOfAccounts(accounts)]);

describe('core', () => testRoleMatrix({ ...core, callers: coreCallers, serviceToken: null, isOpen: true }));
describe('accounts', () => testRoleMatrix({ ...accounts, callers: accountsCallers, isOpen: false }));

/** Changing requests that viewers may send: about themselves, computed and not stored, or judged by what they ask for. */
const SENT_BY_VIEWERS = [
  'DELETE /api/api-keys/{key_id}',
  'DELETE /api/auth/storage-oauth/{provider}',
  'DELETE /api/mcp',
  'DELETE /api/plugins/{id}/custom/{path}',
  'PATCH /api/plugins/{id}/custom/{path}',
  'PATCH /api/user/profile',
  'PATCH /api/users/preferences',
  'PATCH /api/users/profile',
  'POST /api/ai/chat',
  'POST /api/ai/said-before',
  'POST /api/auth/resend-verification',
  'POST /api/beta/feedback',
  'POST /api/canon/check',
  'POST /api/drive-storage/test',
  'POST /api/drive/oauth/test',
  'POST /api/entity/validate/all',
  'POST /api/entity/{type}/compare',
  'POST /api/entity/{type}/smart-merge',
  'POST /api/markdown/export/{type}/{id}',
  'POST /api/markdown/format',
  'POST /api/markdown/validate-frontmatter',
  'POST /api/mcp',
  'POST /api/plugins/{id}/custom/{path}',
  'POST /api/rules/validate/{type}',
  'POST /api/user/profile',
  'POST /api/users/me/avatar',
  'POST /api/validation/draft',
  'POST /api/ws/ticket',
  'PUT /api/plugins/{id}/custom/{path}',
  'PUT /api/plugins/{id}/settings/user',
  'PUT /api/users/{id}',
  'PUT /api/users/{id}/password',
];

test('a route that changes the world needs more than a viewer', () => {
  const isOpen = ({ auth, role, method }: Contract) =>
    auth === 'bearer' && role === 'viewer' && method !== 'GET';
  const open = [...core.contracts, ...accounts.contracts].filter(isOpen);
  const names = new Set(open.map(({ method, path }) => `${method} ${path}`));
  assert.deepEqual([...names].sort(), SENT_BY_VIEWERS);
});

test('what LOCAL_PLAN does not have is refused by its name, even to the owner', async () => {
  const free = await startCore({ env: { LOCAL_PLAN: 'free' } });
  after(() => free.close());
  const gated = free.contracts.filter(({ feature }) => feature !== null);
  assert.ok(gated.some(({ feature }) => feature === 'custom_templates'));
  for (const contract of gated) {
    const reply = await free.app.inject(sampleRequest(contract, { token: free.adminToken }));
    const isRefused = !PLANS.free.features[contract.feature ?? 'sso'];
    assert.equal(reply.statusCode === 403, isRefused, `${contract.name} ${reply.body}`);
    if (isRefused) assert.equal(reply.json<{ feature: string }>().feature, contract.feature);
  }
});
