import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type AccountsPerson,
  PASSWORD,
  startAccounts,
  type TestAccounts,
} from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

let count = 0;
const fresh = () => `guest${++count}@example.com`;

forEachDatabase((name, open) => {
  describe('members of a tenant', () => {
    let accounts: TestAccounts;
    before(async () => {
      accounts = await startAccounts({ open });
    });
    after(() => accounts.close());

    /** The owner of a new tenant with this number of seats. */
    async function studio(seats: number): Promise<AccountsPerson> {
      const owner = await accounts.register();
      await accounts.tenants.changePlan(owner.tenantId, 'team', seats);
      return { ...owner, token: (await accounts.login(owner.email)).body.access_token };
    }
    const invite = (by: AccountsPerson, role = 'editor', email = fresh()) =>
      accounts.ask('POST', '/api/auth/create-invite', { token: by.token, body: { email, role } });
    const accept = (token: string) =>
      accounts.ask('POST', '/api/auth/register-with-invite', { body: { token, password: PASSWORD } });
    const seatsOf = ({ tenantId }: AccountsPerson) => accounts.users.countActive(tenantId);
    const change = (by: AccountsPerson, userId: string, role: string) =>
      accounts.ask('PATCH', `/api/auth/users/${userId}/role`, { token: by.token, body: { role } });
    const deactivate = (by: AccountsPerson, userId: string) =>
      accounts.ask('POST', `/api/auth/users/${userId}/deactivate`, { token: by.token });

    test('a link invites one person of its address and role into the tenant', async () => {
      const owner = await studio(3);
      const made = await invite(owner);
      assert.equal(made.status, 201, made.text);
      const { token, email, invite_url } = made.body as typeof made.body & { invite_url: string };
      assert.equal(new URL(invite_url).searchParams.get('token'), token);
      const valid = await accounts.ask('GET', `/api/auth/validate-invite/${token}`);
      assert.deepEqual([valid.status, valid.body.email, valid.body.role], [200, email, 'editor']);
      const reply = await accept(token);
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual([reply.body.email, reply.body.plan], [email, 'team']);
      const me = await accounts.ask('GET', '/api/auth/me', { token: reply.body.access_token });
      assert.deepEqual([me.body.tenant_id, me.body.tenant_role], [owner.tenantId, 'editor']);
      assert.equal((await accept(token)).status, 401);
      assert.equal((await accounts.ask('GET', `/api/auth/validate-invite/${token}`)).status, 401);
      assert.equal((await accounts.ask('GET', '/api/auth/validate-invite/cnri_nothing')).status, 401);
    });

    test('at the seat cap an invitation is 422 under 20 tries at once, makes nothing, and works once a seat is free', async () => {
      const owner = await studio(2);
      const [first, second] = [(await invite(owner)).body, (await invite(owner)).body];
      const joined = (await accept(first.token)).body;
      assert.equal(await seatsOf(owner), 2);
      const refused = await Promise.all(Array.from({ length: 20 }, () => accept(second.token)));
      for (const { status, body } of refused) assert.deepEqual([status, body.code], [422, 'seat_limit']);
      assert.equal(await seatsOf(owner), 2);
      assert.equal((await accounts.login(second.email)).status, 401);
      assert.equal((await deactivate(owner, joined.user_id)).status, 200);
      const replies = await Promise.all(Array.from({ length: 20 }, () => accept(second.token)));
      assert.equal(replies.filter(({ status }) => status === 201).length, 1);
      for (const { status } of replies) assert.ok([201, 401, 422].includes(status));
      assert.equal(await seatsOf(owner), 2);
    });

    test('20 invitations into one seat, by two processes where there may be two: one person gets it, the others keep theirs', async () => {
      const owner = await studio(2);
      const another = name === 'postgres' ? await accounts.another() : null;
      const tokens = await Promise.all(
        Array.from({ length: 20 }, async () => (await invite(owner)).body.token),
      );
      const replies = await Promise.all(
        tokens.map((token, index) =>
          (index % 2 === 0 ? accounts : (another ?? accounts)).ask('POST', '/api/auth/register-with-invite', {
            body: { token, password: PASSWORD },
          }),
        ),
      );
      await another?.close();
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(19).fill(422)]);
      assert.equal(await seatsOf(owner), 2);
      const kept = tokens.filter((_, index) => replies[index]?.status === 422);
      for (const token of kept)
        assert.equal((await accounts.ask('GET', `/api/auth/validate-invite/${token}`)).status, 200);
    });

    test('an invitation by mail brings the link; who runs the installation invites into every tenant', async () => {
      const owner = await studio(5);
      const send = (by: AccountsPerson, body: object) =>
        accounts.ask('POST', '/api/auth/invite', { token: by.token, body });
      const email = fresh();
      const reply = await send(owner, { email, role: 'viewer', tenant_id: owner.tenantId });
      assert.equal(reply.status, 201, reply.text);
      assert.doesNotMatch(reply.text, /cnri_/);
      const mailed = /accept-invite\?token=(\S+)/.exec(await accounts.mailTo(email))?.[1] ?? '';
      assert.equal((await accept(mailed)).status, 201);
      const elsewhere = fresh();
      const byOperator = await send(accounts.first, {
        email: elsewhere,
        role: 'owner',
        tenant_id: owner.tenantId,
      });
      assert.equal(byOperator.status, 201, byOperator.text);
      const token = /accept-invite\?token=(\S+)/.exec(await accounts.mailTo(elsewhere))?.[1] ?? '';
      const joined = (await accept(token)).body;
      assert.equal((await accounts.users.findById(joined.user_id))?.tenantId, owner.tenantId);
      const foreign = await send(owner, {
        email: fresh(),
        role: 'viewer',
        tenant_id: accounts.first.tenantId,
      });
      const missing = await send(owner, { email: fresh(), role: 'viewer', tenant_id: 'no-such' });
      assert.deepEqual([foreign.status, missing.status], [404, 404]);
      assert.equal(foreign.body.detail.replace(accounts.first.tenantId, 'no-such'), missing.body.detail);
    });

    test('nobody fills the mailboxes of others with invitations', async (t) => {
      const strict = await startAccounts({ open, env: { RATE_LIMIT_LOGIN: '3' } });
      t.after(() => strict.close());
      const send = (email: string) =>
        strict.ask('POST', '/api/auth/invite', {
          token: strict.first.token,
          body: { email, role: 'viewer', tenant_id: strict.first.tenantId },
        });
      const statuses = [];
      for (let each = 0; each < 4; each += 1) statuses.push((await send(fresh())).status);
      assert.deepEqual(statuses, [201, 201, 201, 429]);
    });

    test('nobody invites above themselves, and editors invite nobody', async () => {
      const owner = await studio(5);
      const admin = await accounts.person('admin', owner.tenantId);
      const editor = await accounts.person('editor', owner.tenantId);
      assert.equal((await invite(admin, 'owner')).status, 403);
      assert.equal((await invite(editor, 'viewer')).status, 403);
      assert.equal((await invite(admin, 'admin')).status, 201);
    });

    test('a changed role counts at once; owners are changed by owners, and the last one stays', async () => {
      const owner = await studio(9);
      const admin = await accounts.person('admin', owner.tenantId);
      const editor = await accounts.person('editor', owner.tenantId);
      assert.equal((await change(admin, editor.id, 'admin')).body.role, 'admin');
      assert.equal((await invite(editor)).status, 201);
      assert.equal((await change(owner, editor.id, 'viewer')).status, 200);
      assert.equal((await invite(editor)).status, 403);
      assert.equal((await change(admin, owner.id, 'viewer')).status, 403);
      assert.equal((await change(admin, editor.id, 'owner')).status, 403);
      const last = await change(owner, owner.id, 'editor');
      assert.deepEqual([last.status, last.body.code], [409, 'last_owner']);
      assert.equal((await deactivate(owner, owner.id)).status, 409);
    });

    test('a closed account loses sessions and keys at once', async () => {
      const owner = await studio(9);
      const admin = await accounts.person('admin', owner.tenantId);
      const made = await accounts.ask('POST', '/api/api-keys', {
        token: admin.token,
        body: { name: 'Build' },
      });
      const { key } = made.body as unknown as { key: string };
      assert.equal((await accounts.ask('GET', '/api/auth/me', { token: key })).status, 200);
      assert.equal((await deactivate(owner, admin.id)).status, 200);
      for (const token of [admin.token, key])
        assert.equal((await accounts.ask('GET', '/api/auth/me', { token })).status, 401);
      const body = { refresh_token: admin.refreshToken };
      assert.equal((await accounts.ask('POST', '/api/auth/refresh', { body })).status, 401);
    });

    test('somebody of another tenant is as if not there', async () => {
      const [owner, other] = [await studio(9), await studio(9)];
      for (const reply of [await change(owner, other.id, 'viewer'), await deactivate(owner, other.id)]) {
        const missing = await change(owner, 'no-such', 'viewer');
        assert.deepEqual([reply.status, missing.status], [404, 404]);
        assert.equal(reply.body.detail.replace(other.id, 'no-such'), missing.body.detail);
      }
    });
  });
});
