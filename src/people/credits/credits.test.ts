import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { openLedger } from '../../../test/support/books.ts';
import { forEachDatabase, type OpenDatabase } from '../../../test/support/databases.ts';
import { ROLES, type Role } from '../../access/plans.ts';
import { unauthorized } from '../../kit/errors.ts';
import { createServer } from '../../kit/http/server.ts';
import { DAY_MS } from './books/months.ts';
import { creditRoutes } from './credits.routes.ts';
import { usageRoutes } from './usage.routes.ts';
import { createUsage } from './usage.service.ts';

const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** A token is a role; `otto` is a second editor. */
function authenticate(token: string) {
  const role = token === 'otto' ? 'editor' : token;
  if (!isRole(role)) throw unauthorized('unknown');
  const userId = token === 'editor' ? 'mira' : token;
  return {
    userId,
    email: `${userId}@example.com`,
    tenantId: 'one',
    role,
    tenantRole: role,
    plan: 'team' as const,
  };
}

async function serve(t: TestContext, open: OpenDatabase) {
  const opened = await openLedger(t, open);
  const { ledger, database, clock } = opened;
  const membersOf = async (tenantId: string) =>
    tenantId === 'one'
      ? ['mira', 'otto', 'viewer'].map((userId) => ({
          userId,
          displayName: userId.toUpperCase(),
          role: 'editor',
          isActive: true,
        }))
      : [];
  const usage = createUsage({ database, clock, ledger, membersOf });
  const app = await createServer({
    ...BARE_SERVER,
    authenticate,
    anonymous: null,
    verifyReplies: true,
    routes: [...creditRoutes({ ledger, usage, tokensPerCredit: 1_000 }), ...usageRoutes(usage)],
  });
  t.after(() => app.close());
  const ask = async (
    token: string,
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    key?: string,
  ) => {
    const reply = await app.inject({
      method,
      url: `/api/billing${path}`,
      headers: { authorization: `Bearer ${token}`, ...(key !== undefined && { 'idempotency-key': key }) },
      ...(body && { payload: body }),
    });
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    return {
      status: reply.statusCode,
      text: reply.body,
      body: isJson ? reply.json() : {},
      headers: reply.headers,
    };
  };
  const consume = (token: string, amount: unknown, more: { operation?: string; key?: string } = {}) =>
    ask(token, 'POST', '/credits/consume', { amount, operation: more.operation ?? 'ai_generate' }, more.key);
  return { ...opened, ask, consume };
}

forEachDatabase((_name, open) => {
  describe('credits over HTTP', () => {
    test('credits are spent, and too few are a 402 that says how many there are', async (t) => {
      const { ask, consume } = await serve(t, open);
      const { status, body } = await consume('editor', 30);
      assert.deepEqual(
        [status, body],
        [200, { consumed: 30, operation: 'ai_generate', balance: 70, unlimited: false }],
      );
      const refused = await consume('editor', 71);
      assert.deepEqual([refused.status, refused.body.code], [402, 'insufficient_credits']);
      const { balance, needed, upgrade_url } = refused.body;
      assert.deepEqual([balance, needed, upgrade_url], [70, 71, '/api/billing/checkout']);
      const left = await ask('viewer', 'GET', '/credits');
      assert.deepEqual([left.body.balance, left.body.monthly, left.body.reserved], [70, 100, 0]);
      assert.deepEqual(left.body.sources, [
        { source: 'grant', remaining: 70, expires_at: '2026-02-28T10:00:00.000Z' },
      ]);
    });

    test('amounts are whole and over zero, and viewers spend nothing', async (t) => {
      const { consume } = await serve(t, open);
      for (const amount of [0, -1, 0.5, '5', null, 1e12])
        assert.equal((await consume('editor', amount)).status, 422);
      assert.equal((await consume('editor', 1, { operation: '=1+1' })).status, 422);
      assert.equal((await consume('viewer', 1)).status, 403);
    });

    test('tokens are rounded up to credits', async (t) => {
      const { ask } = await serve(t, open);
      const of = async (tokens: number) =>
        (await ask('editor', 'POST', '/consume-tokens', { tokens, provider: 'fast' })).body.consumed;
      assert.deepEqual([await of(1), await of(1_000), await of(1_001)], [1, 1, 2]);
    });

    test('an Idempotency-Key gets the first answer again, also a refusal; another body is refused', async (t) => {
      const { ask, consume } = await serve(t, open);
      const first = await consume('editor', 30, { key: 'k' });
      assert.deepEqual((await consume('editor', 30, { key: 'k' })).body, first.body);
      const other = await consume('editor', 31, { key: 'k' });
      assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused']);
      const tokens = await ask('editor', 'POST', '/consume-tokens', { tokens: 30 }, 'k');
      assert.equal(tokens.status, 409);
      assert.equal((await consume('otto', 30, { key: 'k' })).body.balance, 40);
      const refused = await consume('editor', 41, { key: 'r' });
      assert.deepEqual((await consume('editor', 41, { key: 'r' })).body, refused.body);
      assert.equal(refused.status, 402);
      for (const key of ['', 'a b', 'x'.repeat(256), 'ü']) {
        const { status, body } = await consume('editor', 1, { key });
        assert.deepEqual([status, body.code], [422, 'invalid_idempotency_key'], key);
      }
      assert.equal((await consume('editor', 1, { key: 'x'.repeat(255) })).status, 200);
      assert.equal((await ask('viewer', 'GET', '/credits')).body.balance, 39);
    });

    test('admins set quotas of people and the team, and these refuse with words of their own', async (t) => {
      const { ask, consume } = await serve(t, open);
      const set = (token: string, body: object) => ask(token, 'PUT', '/team/user-quota', body);
      assert.equal((await set('editor', { user_id: 'mira', quota: 5 })).status, 403);
      assert.equal((await set('admin', { user_id: 'nobody', quota: 5 })).status, 404);
      for (const quota of [-1, 0.5, '5'])
        assert.equal((await set('admin', { user_id: 'mira', quota })).status, 422);
      const { body } = await set('admin', { user_id: 'mira', quota: 5 });
      assert.deepEqual(body, { user_id: 'mira', quota: 5, spent: 0, reserved: 0 });
      await consume('editor', 4);
      const refused = await consume('editor', 2);
      assert.deepEqual([refused.status, refused.body.code], [402, 'user_quota_reached']);
      assert.deepEqual([refused.body.balance, refused.body.available], [96, 1]);
      const team = await ask('admin', 'PUT', '/quota', { quota: 10 });
      assert.deepEqual(team.body, { quota: 10, time_zone: 'UTC', spent: 4, reserved: 0 });
      assert.equal((await consume('otto', 7)).body.code, 'team_quota_reached');
      await ask('admin', 'PUT', '/quota', { quota: null });
      await set('admin', { user_id: 'mira', quota: null });
      assert.equal((await consume('editor', 50)).status, 200);
      const members = await ask('viewer', 'GET', '/team/members');
      assert.deepEqual(
        members.body.members.map(({ user_id, spent, quota }: Record<string, unknown>) => [
          user_id,
          spent,
          quota,
        ]),
        [
          ['mira', 54, null],
          ['otto', 0, null],
          ['viewer', 0, null],
        ],
      );
    });

    test('usage is that of the current period, by operation', async (t) => {
      const { ask, consume, clock, ledger } = await serve(t, open);
      await consume('editor', 10);
      await consume('editor', 5);
      await consume('otto', 2, { operation: 'chat' });
      await ledger.reserve({ tenantId: 'one', userId: 'mira' }, 20, { id: 'a', kind: 'ai_generate' });
      const { body } = await ask('viewer', 'GET', '/usage');
      assert.deepEqual([body.granted, body.spent, body.reserved, body.balance], [100, 17, 20, 63]);
      assert.deepEqual(body.operations, [
        { operation: 'ai_generate', spent: 15, count: 2 },
        { operation: 'chat', spent: 2, count: 1 },
      ]);
      clock.pass(28 * DAY_MS);
      await consume('editor', 1);
      const later = await ask('viewer', 'GET', '/usage');
      assert.deepEqual([later.body.spent, later.body.operations.length], [1, 1]);
    });

    test('days are those of the time zone in which the tenant spent', async (t) => {
      const { ask, consume, clock } = await serve(t, open);
      const history = async (query: string) => (await ask('viewer', 'GET', `/usage-history?${query}`)).body;
      // 31 January, 23:30 in UTC.
      clock.pass(13.5 * 3_600_000);
      await consume('editor', 1);
      const zone = await ask('admin', 'PUT', '/quota', { time_zone: 'europe/berlin' });
      assert.equal(zone.body.time_zone, 'Europe/Berlin');
      await consume('editor', 2);
      await consume('otto', 4, { operation: 'chat' });
      const days = await history('from=2026-01-01&to=2026-02-28');
      assert.deepEqual([days.spent, days.time_zone, days.group_by], [7, 'Europe/Berlin', 'day']);
      assert.deepEqual(days.rows, [
        { key: '2026-01-31', spent: 1, count: 1 },
        { key: '2026-02-01', spent: 6, count: 2 },
      ]);
      assert.equal((await history('')).to, '2026-02-01');
      assert.equal((await history('from=2026-02-01&to=2026-02-01')).spent, 6);
      const users = await history('group_by=user');
      assert.deepEqual(
        users.rows.map(({ key, spent }: Record<string, unknown>) => [key, spent]),
        [
          ['mira', 3],
          ['otto', 4],
        ],
      );
      assert.equal((await ask('admin', 'PUT', '/quota', { time_zone: '+02:00' })).status, 422);
      for (const query of [
        'from=2026-02-30',
        'from=2026-02-02&to=2026-02-01',
        'from=2020-01-01',
        'group_by=x',
      ])
        assert.equal((await ask('viewer', 'GET', `/usage-history?${query}`)).status, 422, query);
    });

    test('a table for spreadsheets has no formulas', async (t) => {
      const { ask, ledger } = await serve(t, open);
      for (const operation of ['=1+1', '@sum', '-x', 'a,"b"', 'plain'])
        await ledger.consume('one', { userId: 'mira', operation, provider: '', amount: 1, once: null });
      const { text, headers } = await ask('viewer', 'GET', '/usage-history?group_by=operation&format=csv');
      assert.match(String(headers['content-type']), /^text\/csv/);
      assert.deepEqual(text.split('\r\n').sort(), [
        '',
        '"\'-x",1,1',
        '"\'=1+1",1,1',
        '"\'@sum",1,1',
        '"a,""b""",1,1',
        '"plain",1,1',
        'operation,spent,count',
      ]);
    });
  });
});
