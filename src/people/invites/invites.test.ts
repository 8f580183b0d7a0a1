import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { PASSWORD, type People, type Person, startPeople } from '../../../test/support/people.ts';
import { ROLES, type Role } from '../../access/plans.ts';
import type { InviteTables } from './invites.tables.ts';

interface Invite {
  invite_id: string;
  email: string;
  status: string;
  token: string;
}

let count = 0;
const fresh = () => `guest${++count}@example.com`;

forEachDatabase((_name, open) => {
  describe('invitations', () => {
    let people: People;
    before(async () => {
      people = await startPeople({ open, env: { REGISTRATION: 'invite' } });
    });
    after(() => people.close());

    const invite = async (role: Role, email = fresh(), as: Person = people.cast.owner): Promise<Invite> => {
      const reply = await people.ask(as, 'POST', '/api/invites', { email, role });
      assert.equal(reply.status, 201, reply.text);
      return reply.body as unknown as Invite;
    };
    const accept = (token: string, more: object = {}) =>
      people.ask(null, 'POST', '/api/auth/accept-invite', { token, password: PASSWORD, ...more });
    const list = async (as = people.cast.owner) =>
      (await people.ask(as, 'GET', '/api/invites?limit=200')).body as unknown as { invites: Invite[] };
    const isRefused = async (token: string) => {
      const { status, body } = await accept(token);
      assert.deepEqual([status, body.code], [401, 'invalid_invite']);
      return body;
    };

    test('an invitation makes one account of its address and role, signed in at once', async () => {
      const { token, email, status } = await invite('editor');
      assert.equal(status, 'pending');
      const reply = await accept(token, { display_name: 'Ben' });
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual([reply.body.user.email, reply.body.user.role], [email, 'editor']);
      const me = await people.ask(reply.body.access_token, 'GET', '/api/users/current');
      assert.deepEqual([me.body.display_name, me.body.tenant_role], ['Ben', 'editor']);
      assert.equal((await people.login(email)).status, 200);
      await isRefused(token);
      assert.equal((await list()).invites.find((each) => each.email === email)?.status, 'accepted');
    });

    test('of 20 who take one invitation at once one gets it', async () => {
      const { token } = await invite('viewer');
      const replies = await Promise.all(Array.from({ length: 20 }, () => accept(token)));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [
        201,
        ...Array.from({ length: 19 }, () => 401),
      ]);
    });

    test('the token is shown once and kept nowhere', async () => {
      const { token } = await invite('viewer');
      assert.ok(!JSON.stringify(await list()).includes(token));
      const rows = await people.database.system.read((db: Kysely<InviteTables>) =>
        db.selectFrom('invites').selectAll().execute(),
      );
      assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(token.slice(5)));
    });

    test('what is unknown, withdrawn or replaced is refused alike', async () => {
      const withdrawn = await invite('viewer');
      const replaced = await invite('viewer');
      const newer = await invite('editor', replaced.email);
      const gone = await people.ask(people.cast.admin, 'DELETE', `/api/invites/${withdrawn.invite_id}`);
      assert.equal(gone.status, 200);
      const answers = [
        await isRefused('cnri_nothing'),
        await isRefused(withdrawn.token),
        await isRefused(replaced.token),
      ];
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
      assert.equal((await accept(newer.token)).status, 201);
      const again = await people.ask(people.cast.admin, 'DELETE', `/api/invites/${newer.invite_id}`);
      assert.equal(again.status, 404);
    });

    test('one that has run out is refused', async () => {
      const { token, invite_id, email } = await invite('viewer');
      await people.database.system.write((db: Kysely<InviteTables>) =>
        db
          .updateTable('invites')
          .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
          .where('invite_id', '=', invite_id)
          .execute(),
      );
      await isRefused(token);
      assert.equal((await list()).invites.find((each) => each.email === email)?.status, 'expired');
    });

    test('an attempt that makes no account leaves the invitation good', async () => {
      const { token } = await invite('viewer');
      const short = await accept(token, { password: 'short' });
      assert.deepEqual([short.status, short.body.errors[0]?.field], [422, 'password']);
      assert.equal((await accept(token, { display_name: 'a\nb' })).status, 422);
      assert.equal((await accept(token, { role: 'owner' })).status, 422);
      assert.equal((await accept(token)).status, 201);
    });

    test('admins invite to roles up to their own', async () => {
      for (const caller of ['first', ...ROLES] as const) {
        for (const role of ROLES) {
          const body = { email: fresh(), role };
          const { status } = await people.ask(people.cast[caller], 'POST', '/api/invites', body);
          const may = ['first', 'owner'].includes(caller) || (caller === 'admin' && role !== 'owner');
          assert.equal(status, may ? 201 : 403, `${caller} invites ${role}`);
        }
      }
      assert.equal((await people.ask(people.cast.editor, 'GET', '/api/invites')).status, 403);
    });

    test('an invitation ends with the place of who made it', async () => {
      const closed = await people.person('admin');
      const lowered = await people.person('admin');
      const left = await invite('viewer', fresh(), closed);
      const high = await invite('admin', fresh(), lowered);
      await people.ask(people.cast.owner, 'DELETE', `/api/users/${closed.id}`);
      await people.ask(people.cast.owner, 'PUT', `/api/users/${lowered.id}`, { role: 'editor' });
      await isRefused(left.token);
      await isRefused(high.token);
    });

    test('somebody who has an account is not invited', async () => {
      const body = { email: people.cast.viewer.email.toUpperCase(), role: 'owner' };
      const taken = await people.ask(people.cast.owner, 'POST', '/api/invites', body);
      assert.deepEqual([taken.status, taken.body.code], [409, 'email_taken']);
    });

    test("another tenant's invitations are not there", async () => {
      const elsewhere = await people.person('owner', 'elsewhere');
      const theirs = await invite('viewer', fresh(), elsewhere);
      assert.ok(!(await list()).invites.some((each) => each.invite_id === theirs.invite_id));
      assert.deepEqual(
        (await list(elsewhere)).invites.map((each) => each.invite_id),
        [theirs.invite_id],
      );
      const path = `/api/invites/${theirs.invite_id}`;
      assert.equal((await people.ask(people.cast.owner, 'DELETE', path)).status, 404);
      const { body } = await accept(theirs.token);
      const me = await people.ask(body.access_token, 'GET', '/api/users/current');
      assert.equal((me.body as unknown as { tenant_id: string }).tenant_id, 'elsewhere');
    });
  });
});

test('where registration is closed nobody invites', async () => {
  const people = await startPeople({ env: { REGISTRATION: 'closed' } });
  try {
    const body = { email: fresh(), role: 'viewer' };
    const refused = await people.ask(people.cast.owner, 'POST', '/api/invites', body);
    assert.deepEqual([refused.status, refused.body.code], [403, 'registration_closed']);
  } finally {
    await people.close();
  }
});
