import { run } from '../connection-driver.ts';
import type { Executor } from '../dialect.ts';
import type { RowOwner } from '../migration.ts';

/** Settings of a connection: the tenant (empty for the installation) and the tenant's keys. */
export const TENANT_SETTING = 'canonry.tenant';
export const KEYS_SETTING = 'canonry.keys';

/** The role of a tenant's queries if the service itself signs in as a user who bypasses policies. */
export const TENANT_ROLE = 'canonry_tenant';

export const KEYS_FUNCTION = 'canonry_keys';

const TENANT = `current_setting('${TENANT_SETTING}', true)`;
const KEYS = `nullif(current_setting('${KEYS_SETTING}', true), '')::bigint[]`;
const IS_SYSTEM = `coalesce(${TENANT}, '') = ''`;

/**
 * A policy is checked before any operator that might leak row contents in an error. Full-text operators are among these,
 * so their index would not be used; such a table is therefore replaced by a view of its name.
 */
const BEHIND_VIEW = ['entity_search'];
const hidden = (table: string): string => `${table}_rows`;

interface OpenTable {
  name: string;
  has_tenant: boolean;
}

/** Tables with a tenant column that do not yet have policies, or whose policies name a former owner. */
async function openTables(db: Executor, columns: readonly string[]): Promise<OpenTable[]> {
  const { rows } = await run<OpenTable>(
    db,
    `select c.relname as name, bool_or(a.attname = 'tenant_id') as has_tenant
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = any ($1)
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> all ($2)
       and not exists (select from pg_policy p join pg_roles r on r.oid = any (p.polroles)
         where p.polrelid = c.oid and p.polname = 'system_rows' and r.rolname = current_user)
     group by c.oid order by 1`,
    columns,
    BEHIND_VIEW.map(hidden),
  );
  return rows;
}

async function closeTable(db: Executor, name: string, condition: string): Promise<void> {
  for (const policy of ['tenant_rows', 'system_rows'])
    await run(db, `drop policy if exists ${policy} on ${name}`);
  await run(db, `create policy tenant_rows on ${name} using (${condition})`);
  // In a policy of its own, so that an ordinary role gets the simpler condition in its query plans.
  await run(db, `create policy system_rows on ${name} to current_user using (${IS_SYSTEM})`);
  await run(db, `alter table ${name} enable row level security, force row level security`);
}

async function hideTable(db: Executor, name: string, condition: string): Promise<void> {
  await run(db, `alter table ${name} rename to ${hidden(name)}`);
  await run(
    db,
    `create view ${name} as select * from ${hidden(name)} where ${condition} or ${IS_SYSTEM} with check option`,
  );
}

const makeKeysFunction = (db: Executor, keys: string) =>
  run(
    db,
    `create or replace function ${KEYS_FUNCTION}(tenant text) returns text stable language sql
     as $$ select coalesce(array_agg(key)::text, '{}') from (${keys}) as k(key) $$`,
  );

async function hasKeysFunction(db: Executor): Promise<boolean> {
  const { rows } = await run(db, 'select where to_regproc($1) is not null', KEYS_FUNCTION);
  return rows.length > 0;
}

/** Creates the role, unless policies restrict this user anyway, and grants it access to the protected tables. */
const LET_ROLE_IN = `do $$ declare item record; begin
  if not (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) then return; end if;
  if not exists (select from pg_roles where rolname = '${TENANT_ROLE}') then
    begin
      create role ${TENANT_ROLE} nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  if not pg_has_role(current_user, '${TENANT_ROLE}', 'member') then
    execute format('grant ${TENANT_ROLE} to %I', current_user);
  end if;
  if not has_schema_privilege('${TENANT_ROLE}', current_schema(), 'usage') then
    execute format('grant usage on schema %I to ${TENANT_ROLE}', current_schema());
  end if;
  for item in
    select oid::regclass as name from pg_class
    where relnamespace = current_schema()::regnamespace and not has_table_privilege('${TENANT_ROLE}', oid, 'insert')
      and (relrowsecurity or relkind = 'v' and relname in ('${BEHIND_VIEW.join("', '")}'))
  loop
    execute format('grant select, insert, update, delete on %s to ${TENANT_ROLE}', item.name);
  end loop;
end $$`;

/**
 * Through a tenant's handle, another tenant's rows do not exist, whatever the query. Tables without a tenant column belong
 * to the installation, and the tenant's role may not touch them.
 */
export async function raiseWall(db: Executor, owner: RowOwner | undefined): Promise<void> {
  const tables = await openTables(db, owner ? ['tenant_id', owner.column] : ['tenant_id']);
  if (owner && tables.length > 0) await makeKeysFunction(db, owner.keys);
  else if (!(await hasKeysFunction(db))) await makeKeysFunction(db, 'select 0 where false');
  for (const { name, has_tenant } of tables) {
    const condition = has_tenant || !owner ? `tenant_id = ${TENANT}` : owner.isOf(KEYS);
    await (BEHIND_VIEW.includes(name) ? hideTable : closeTable)(db, name, condition);
  }
  await run(db, LET_ROLE_IN);
}
