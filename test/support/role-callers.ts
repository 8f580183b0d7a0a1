import assert from 'node:assert/strict';
import type { FeatureOverrides } from '../../src/access/entitlements.ts';
import { type PlanName, ROLES } from '../../src/access/plans.ts';
import { mayOnlyRead, roleOfKey, SCOPES } from '../../src/access/scopes.ts';
import type { TestAccounts } from './accounts.ts';
import type { Caller } from './role-matrix.ts';

type Ask = (token: string, method: string, path: string, body: object) => Promise<{ text: string }>;

export const nobody: Caller = { who: 'nobody', role: null, plan: 'free', token: '' };

export const keysOf = (ask: Ask, ownerToken: string, plan: PlanName): Promise<Caller[]> =>
  Promise.all(
    SCOPES.map(async (scope) => {
      const body = { name: `matrix ${scope}`, scopes: [scope] };
      const { key } = JSON.parse((await ask(ownerToken, 'POST', '/api/api-keys', body)).text);
      assert.equal(typeof key, 'string');
      const role = roleOfKey([scope], 'owner');
      return { who: `a key to ${scope}`, role, plan, mayOnlyRead: mayOnlyRead([scope]), token: key };
    }),
  );

/** Its plan has more or less than usual. */
async function ownerWith(
  accounts: TestAccounts,
  plan: PlanName,
  overrides: FeatureOverrides,
): Promise<Caller> {
  const { email, tenantId } = await accounts.register();
  await accounts.tenants.changePlan(tenantId, plan);
  await accounts.tenants.changeFeatures(tenantId, overrides);
  const token = (await accounts.login(email)).body.access_token;
  return {
    who: `an owner on ${plan} with ${JSON.stringify(overrides)}`,
    role: 'owner',
    plan,
    overrides,
    token,
  };
}

/** People of every role in one tenant, its keys, and owners of tenants with more or less than their plan. */
export async function callersOfAccounts(accounts: TestAccounts): Promise<Caller[]> {
  const plan = 'free';
  const people = ROLES.map(
    async (role): Promise<Caller> => ({ who: role, role, plan, token: (await accounts.person(role)).token }),
  );
  const { token } = accounts.first;
  const ask: Ask = (as, method, path, body) => accounts.ask(method, path, { token: as, body });
  return [
    nobody,
    { who: 'the first user', role: 'owner', plan, token },
    ...(await Promise.all(people)),
    ...(await keysOf(ask, token, plan)),
    await ownerWith(accounts, 'indie', {}),
    await ownerWith(accounts, 'free', { cloud_drive: true }),
    await ownerWith(accounts, 'team', { cloud_drive: false }),
  ];
}
