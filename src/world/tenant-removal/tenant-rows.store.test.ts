import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { hashOfRows } from '../../../test/support/tenant-state.ts';
import { startTwoTenants, type TwoTenants } from '../../../test/support/two-tenants.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';
import { ROW_IDS_PER_PROJECT } from '../records/scope.ts';
import { removeTenantRows } from './tenant-rows.store.ts';

type AnyRows = Kysely<Record<string, Record<string, unknown>>>;

forEachDatabase((_name, open) => {
  describe('the rows of a tenant that goes', () => {
    let core: TwoTenants;
    before(async () => {
      core = await startTwoTenants(open);
    });
    after(() => core.close());

    async function call(tenantId: string, method: string, url: string, body?: object): Promise<void> {
      const reply = await core.app.inject({
        method: method as 'GET',
        url,
        headers: { authorization: `Bearer ${tenantId}`, prefer: 'wait=60' },
        ...(body && { payload: body }),
      });
      assert.ok(reply.statusCode < 300, reply.body);
    }

    /** Entities that refer to each other, one of them in the bin, with search, revisions, operations and webhooks. */
    async function work(tenantId: string): Promise<void> {
      for (const id of ['mira', 'tide', 'gone'])
        await call(tenantId, 'POST', '/api/entity/character', {
          entity_id: id,
          name: id,
          markdown_body: '[[mira]]',
        });
      await call(tenantId, 'PUT', '/api/entity/character/mira', { name: 'Mira' });
      await call(tenantId, 'DELETE', '/api/entity/character/gone');
      await call(tenantId, 'POST', '/api/rename-entity', {
        entity_type: 'character',
        old_id: 'tide',
        new_id: 'tides',
      });
      await call(tenantId, 'GET', '/api/search?q=mira');
    }

    const numberOf = (tenantId: string): Promise<number> =>
      core.database.system.read(async (db: AnyRows) => {
        const row = await db
          .selectFrom('projects')
          .select('number')
          .where('tenant_id', '=', tenantId)
          .executeTakeFirst();
        return Number(row?.number);
      });

    /** Row ids of a project that a table, or the search index, still has. */
    async function rowIds(table: string, projectNumber: number): Promise<number[]> {
      const [first, end] = [projectNumber * ROW_IDS_PER_PROJECT, (projectNumber + 1) * ROW_IDS_PER_PROJECT];
      const ids = await core.database.system.read(async (db: AnyRows) => {
        if (table === 'search') return core.database.dialect.fullText.list(db, first - 1, 100);
        return (await db.selectFrom(table).select('row_id').where('row_id', '>=', first).execute()).map(
          (row) => Number(row.row_id),
        );
      });
      return ids.filter((id) => id < end);
    }

    test('are all removed, and no other tenant loses one', async () => {
      for (const tenantId of ['one', 'two']) await work(tenantId);
      const projectNumber = await numberOf('one');
      const tables = ['search', 'entities', 'entity_documents', 'entity_references', 'entity_revisions'];
      for (const table of tables) assert.notDeepEqual(await rowIds(table, projectNumber), [], table);
      const other = await core.stateOf('two');

      assert.equal(await core.projects.close('one', 'default'), true);
      await removeTenantRows(core.database, 'one');

      for (const table of tables) assert.deepEqual(await rowIds(table, projectNumber), [], table);
      assert.equal(await hashOfRows(core.database, 'one'), await hashOfRows(core.database, 'nobody'));
      assert.equal(await core.stateOf('two'), other);
    });

    test('go in parts, however many a table has, so that other writers come in between', async () => {
      const tenant = core.database.tenant('many');
      const count = (): Promise<number> =>
        tenant.read(async (db: AnyRows) => {
          const { total } = await db
            .selectFrom('told_times')
            .select(({ fn }) => fn.countAll<number | string>().as('total'))
            .where('tenant_id', '=', 'many')
            .executeTakeFirstOrThrow();
          return Number(total);
        });
      const rows = Array.from({ length: 5_000 }, (_, seq) => ({
        tenant_id: 'many',
        project_id: 'default',
        told_at: String(seq),
        seq,
        listing: 0,
      }));
      const conflict = ['tenant_id', 'project_id', 'told_at'];
      await tenant.write((db: AnyRows) =>
        tenant.dialect.upsert(db, 'told_times', rows, { conflict, update: [] }),
      );
      const left: number[] = [];
      const write: TenantDatabase['write'] = async (work, options) => {
        const result = await tenant.write(work, options);
        left.push(await count());
        return result;
      };
      await removeTenantRows({ ...core.database, tenant: () => ({ ...tenant, write }) }, 'many');
      assert.deepEqual([...new Set(left)], [5_000, 3_000, 1_000, 0]);
    });
  });
});
