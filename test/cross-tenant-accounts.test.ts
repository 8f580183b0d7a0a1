import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { startAccounts } from './support/accounts.ts';
import { type Named, testCrossTenant } from './support/cross-tenant.ts';
import { hashOfRows } from './support/tenant-state.ts';

const MARKER = 'thistledown';

const NAMES: Record<string, Named> = {
  '{id}': { kind: 'user' },
  '{user_id}': { kind: 'user' },
  '{key_id}': { kind: 'key' },
  '{tenant_id}': { kind: 'tenant' },
};

const accounts = await startAccounts();
after(() => accounts.close());

/** A tenant's owner, with a member, an invitation and a key. */
async function tenant(name: string) {
  const owner = await accounts.register(`owner@${name}.example.com`);
  await accounts.tenants.changePlan(owner.tenantId, 'enterprise');
  const token = (await accounts.login(owner.email)).body.access_token;
  const member = await accounts.person('viewer', owner.tenantId);
  const send = async (method: string, path: string, body: object) => {
    const reply = await accounts.ask(method, path, { token, body });
    assert.ok(reply.status < 300, reply.text);
    return JSON.parse(reply.text);
  };
  await send('PUT', `/api/users/${member.id}`, { display_name: `${name} member` });
  await send('POST', '/api/auth/create-invite', { email: `friend@${name}.example.com`, role: 'viewer' });
  const { key_id } = await send('POST', '/api/api-keys', { name: `${name} key`, scopes: ['read'] });
  return { token, id: owner.tenantId, member: member.id, key: String(key_id) };
}

const [other, asking] = [await tenant(MARKER), await tenant('plain')];

testCrossTenant({
  contracts: accounts.contracts.filter(({ auth, path }) => auth === 'bearer' && !path.endsWith('/logout')),
  inject: (request) => accounts.app.inject(request),
  token: asking.token,
  otherTenant: other.id,
  kinds: {
    user: { own: asking.member, foreign: other.member, nowhere: randomUUID() },
    key: { own: asking.key, foreign: other.key, nowhere: randomUUID() },
    tenant: { own: asking.id, foreign: other.id, nowhere: randomUUID() },
  },
  namedBy: (_contract, key) => NAMES[key],
  namesNothing: ['name', 'display_name', '{provider}'],
  marker: MARKER,
  otherState: () => hashOfRows(accounts.database, other.id),
});
