import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { createTestClock } from '../../../test/support/auth.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { isoTime } from '../../kit/clock.ts';
import type { TenantRow, TenantTables } from '../tenants/tenants.tables.ts';
import { tenantMigrations } from '../tenants/tenants.tables.ts';
import type { UserTables } from '../users/users.tables.ts';
import { userMigrations } from '../users/users.tables.ts';
import { localAllowances, tenantAllowances } from './allowances.store.ts';

type Db = Kysely<TenantTables & UserTables>;

const TENANTS: readonly (Partial<TenantRow> & { tenant_id: string; expected: number | undefined })[] = [
  { tenant_id: 'free', expected: 100 },
  { tenant_id: 'indie', plan: 'indie', credits_monthly: 500, expected: 500 },
  { tenant_id: 'seats', plan: 'team', credits_monthly: 750, max_users: 5, expected: 3_750 },
  { tenant_id: 'people', plan: 'team', credits_monthly: 750, max_users: -1, expected: 1_500 },
  { tenant_id: 'empty', plan: 'team', credits_monthly: 750, max_users: -1, expected: 750 },
  { tenant_id: 'enterprise', plan: 'enterprise', credits_monthly: -1, max_users: -1, expected: -1 },
  {
    tenant_id: 'override',
    plan: 'team',
    credits_monthly: 750,
    max_users: 5,
    features: '{"credits_monthly":42}',
    expected: 42,
  },
  { tenant_id: 'any', features: '{"credits_monthly":-1}', expected: -1 },
  { tenant_id: 'leaving', deletes_at: isoTime(Date.UTC(2027, 0)), expected: 100 },
  { tenant_id: 'gone', deletes_at: isoTime(Date.UTC(2026, 0)), expected: undefined },
];

const tenantRow = ({ expected: _, ...row }: (typeof TENANTS)[number]): TenantRow => ({
  name: row.tenant_id,
  slug: row.tenant_id,
  plan: 'free',
  max_users: 1,
  credits_monthly: 100,
  features: '{}',
  is_operator: 0,
  created_at: '',
  updated_at: '',
  deletes_at: null,
  ...row,
});

const userRow = (user_id: string, tenant_id: string, is_active: number) => ({
  user_id,
  tenant_id,
  email: user_id,
  display_name: user_id,
  password_hash: '',
  role: 'editor' as const,
  tenant_role: 'editor' as const,
  avatar_url: null,
  email_verified: 1,
  email_verified_at: null,
  is_active,
  created_at: '',
  updated_at: '',
  session_epoch: 0,
});

forEachDatabase((_name, open) => {
  describe('allowances', () => {
    test('are what plan, seats and overrides say', async (t) => {
      const { database, close } = await open();
      t.after(close);
      await database.migrate([...userMigrations, ...tenantMigrations]);
      const ids = [...TENANTS.map(({ tenant_id }) => tenant_id), 'unknown', 'local'];
      const [found, local] = await database.system.write(async (db: Db) => {
        await db.insertInto('tenants').values(TENANTS.map(tenantRow)).execute();
        const users = [
          userRow('a', 'people', 1),
          userRow('b', 'people', 1),
          userRow('c', 'people', 0),
          userRow('d', 'local', 1),
          userRow('e', 'local', 1),
        ];
        await db.insertInto('users').values(users).execute();
        return [
          await tenantAllowances({ clock: createTestClock() })(db, ids),
          await localAllowances('team')(db, ids),
        ];
      });
      for (const { tenant_id, expected } of TENANTS)
        assert.equal(found.get(tenant_id)?.monthly, expected, tenant_id);
      assert.equal(found.has('unknown'), false);
      assert.deepEqual([...local], [['local', { monthly: 1_500, isPlanEnding: false }]]);
    });
  });
});
