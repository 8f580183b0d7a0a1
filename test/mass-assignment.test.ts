import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { TObject } from 'typebox';
import { type Contract, hasBody, takesFiles } from '../src/kit/contract.ts';
import type { Database } from '../src/platform/database/database.ts';
import { startAccounts } from './support/accounts.ts';
import { startPeople } from './support/people.ts';
import { sampleRequest } from './support/sample-request.ts';

interface Who {
  id: string;
  tenantId: string;
  token: string;
}

interface Attacked {
  app: FastifyInstance;
  database: Database;
  contracts: readonly Contract[];
  tables: readonly string[];
  /** From one tenant, so that their role can be raised. */
  attackers: readonly Who[];
  /** From another tenant, so that an attacker may want to act in their name. */
  victim: Who;
  /** The token of an unused invitation. */
  invite(): Promise<string>;
}

type Row = Record<string, unknown>;

const camelCased = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** Properties that no body may set, as the wire and the code name them, with values that would show in the database. */
function wantedBy({ id, tenantId }: Who): Row {
  const wanted = {
    user_id: id,
    id,
    sub: id,
    created_by: id,
    tenant_id: tenantId,
    tenant: tenantId,
    role: 'owner',
    tenant_role: 'owner',
    plan: 'enterprise',
    subscription_tier: 'enterprise',
    features: { sso: true },
    max_users: 424_242_424,
    credits_monthly: 424_242_424,
    is_operator: true,
    email_verified: true,
    session_epoch: 424_242_424,
    password_hash: 'poisoned',
    '__proto__.role': 'owner',
  };
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) => [
      [name, value],
      [camelCased(name), value],
    ]),
  );
}

async function rowsOf(database: Database, table: string): Promise<Row[]> {
  const rows = await database.system.read((db) =>
    db
      .selectFrom(table as never)
      .selectAll()
      .execute(),
  );
  return rows as Row[];
}

interface Taken {
  text: string;
  owners: Set<unknown>;
  verified: unknown[];
  tenants: Row[];
  ofVictim: Row[];
}

/** The rows that an attacker could have changed. */
async function lookInto({ database, tables, victim }: Attacked): Promise<Taken> {
  const rows = await Promise.all(tables.map((table) => rowsOf(database, table)));
  const users = rows[tables.indexOf('users')] ?? [];
  const isOfVictim = ({ user_id, created_by, tenant_id }: Row) =>
    [user_id, created_by].includes(victim.id) || tenant_id === victim.tenantId;
  const isOwner = ({ role, tenant_role }: Row) => [role, tenant_role].includes('owner');
  return {
    text: JSON.stringify(rows),
    owners: new Set(users.filter(isOwner).map((user) => `${user.tenant_id} ${user.user_id}`)),
    verified: users.filter(({ email_verified }) => email_verified !== 0),
    tenants: rows[tables.indexOf('tenants')] ?? [],
    ofVictim: rows.flat().filter(isOfVictim),
  };
}

/** New tenants and owners may only come from registration: on the free plan, one owner each. */
function checkNothingTaken(before: Taken, now: Taken): void {
  assert.doesNotMatch(now.text, /424242424|poisoned/);
  assert.deepEqual(now.verified, []);
  assert.deepEqual(now.ofVictim, before.ofVictim);
  const known = new Set(before.tenants.map(({ tenant_id }) => tenant_id));
  for (const { tenant_id, plan, features, is_operator } of now.tenants) {
    if (known.has(tenant_id)) continue;
    assert.deepEqual([plan, features, is_operator], ['free', '{}', 0]);
    assert.equal([...now.owners].filter((owner) => String(owner).startsWith(`${tenant_id} `)).length, 1);
  }
  const same = now.tenants.filter(({ tenant_id }) => known.has(tenant_id));
  assert.deepEqual(same, before.tenants);
  const founded = now.tenants.length - before.tenants.length;
  assert.equal(now.owners.size, before.owners.size + founded);
}

/** Adds each wanted property to each body that lacks it: it must be refused or ignored. */
function testBodies(surface: Attacked): void {
  const { app, contracts, attackers, victim, invite } = surface;
  let count = 0;

  async function bodyOf(contract: Contract): Promise<Row> {
    const body = { ...(contract.example.body as Row | undefined) };
    count += 1;
    if ('email' in body) body.email = `attacker${count}@example.com`;
    // The sample would lower the attacker's own role.
    if (contract.path.endsWith('/role')) body.role = 'admin';
    if ('token' in body) body.token = await invite();
    return body;
  }

  async function send(
    contract: Contract,
    { id, token }: Who,
    more: Row,
  ): Promise<{ status: number; text: string }> {
    const params = { id, user_id: id, tenant_id: victim.tenantId };
    const payload = JSON.stringify({ ...(await bodyOf(contract)), ...more });
    const reply = await app.inject(sampleRequest(contract, { token, params, payload }));
    return { status: reply.statusCode, text: reply.body };
  }

  for (const contract of contracts.filter(
    (each) => hasBody(each) && !takesFiles(each) && each.auth !== 'service',
  )) {
    const declared = (contract.body as Partial<TObject>).properties ?? {};
    const wanted = Object.entries(wantedBy(victim)).filter(([name]) => !(name in declared));
    test(`${contract.method} ${contract.path} takes nothing that its contract does not name`, async () => {
      const before = await lookInto(surface);
      for (const attacker of attackers) {
        const usual = await send(contract, attacker, {});
        for (const [name, value] of wanted) {
          const { status, text } = await send(contract, attacker, { [name]: value });
          assert.ok(
            status === 422 || status === usual.status,
            `${name}: ${status} ${text}, usually ${usual.text}`,
          );
        }
      }
      checkNothingTaken(before, await lookInto(surface));
    });
  }
}

const ABOUT_PEOPLE = /^\/api\/(?:auth|users?|api-keys|invites|tenants)\b/;
/** Content belongs to the tenant whatever a body says, so only accounts can be taken. A logout would end the attack. */
const ofPeople = (contracts: readonly Contract[]) =>
  contracts.filter(({ path }) => ABOUT_PEOPLE.test(path) && !path.endsWith('/logout'));

const nextEmail = (): string => `invited${Math.random().toString(36).slice(2)}@example.com`;
const tokenIn = (text: string): string => (JSON.parse(text) as { token: string }).token;

const [core, accounts] = await Promise.all([startPeople({ env: { REGISTRATION: 'open' } }), startAccounts()]);
after(() => Promise.all([core.close(), accounts.close()]));

async function attackedCore(): Promise<Attacked> {
  const { admin, viewer, owner } = core.cast;
  const inTenant = (tenantId: string) => (person: { id: string; token: string }) => ({ ...person, tenantId });
  return {
    ...core,
    contracts: ofPeople(core.contracts),
    tables: ['users', 'invites', 'api_keys'],
    attackers: [viewer, admin].map(inTenant('local')),
    victim: inTenant('elsewhere')(await core.person('editor', 'elsewhere')),
    async invite() {
      const body = { email: nextEmail(), role: 'viewer' };
      return tokenIn((await core.ask(owner, 'POST', '/api/invites', body)).text);
    },
  };
}

async function attackedAccounts(): Promise<Attacked> {
  // The installation's owner has more rights; these have not.
  const { email, tenantId } = await accounts.unverified();
  await accounts.tenants.changePlan(tenantId, 'team');
  const token = (await accounts.login(email)).body.access_token;
  const attackers = [
    await accounts.person('viewer', tenantId),
    await accounts.person('admin', tenantId),
    await accounts.unverified(),
  ];
  return {
    ...accounts,
    contracts: ofPeople(accounts.contracts),
    tables: ['users', 'tenants', 'invites', 'api_keys'],
    attackers,
    victim: await accounts.person('editor', (await accounts.unverified()).tenantId),
    async invite() {
      const body = { email: nextEmail(), role: 'viewer' };
      return tokenIn((await accounts.ask('POST', '/api/auth/create-invite', { token, body })).text);
    },
  };
}

const surfaces = { core: await attackedCore(), accounts: await attackedAccounts() };
for (const [name, surface] of Object.entries(surfaces)) describe(name, () => testBodies(surface));
