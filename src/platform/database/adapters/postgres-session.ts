import pg from 'pg';
import { KEYS_FUNCTION, KEYS_SETTING, TENANT_ROLE, TENANT_SETTING } from './postgres-wall.ts';

/** Of the installation itself, which policies do not restrict. */
export const SYSTEM = '';

/** Superusers bypass every policy, so a tenant's queries run as a restricted role. An ordinary owner keeps its role. */
const roleOf = (tenantId: string): string =>
  tenantId === SYSTEM
    ? "'none'"
    : `(select case when rolsuper or rolbypassrls then '${TENANT_ROLE}' else 'none' end
        from pg_roles where rolname = session_user)`;

/** The tenant is set first: its keys are looked up under its own policies. */
function settle(tenantId: string): string {
  const tenant = pg.escapeLiteral(tenantId);
  const keys = tenantId === SYSTEM ? "''" : `${KEYS_FUNCTION}(${tenant})`;
  return `select set_config('${TENANT_SETTING}', ${tenant}, false), set_config('${KEYS_SETTING}', ${keys}, false),
    set_config('role', ${roleOf(tenantId)}, false)`;
}

/**
 * To switch a connection to another tenant, its settings are sent ahead of the query without waiting for their answer: no
 * round trip.
 */
export function createSessions() {
  // One symbol per tenant stands for the keys that it had when its newest handle was made.
  const newest = new Map<string, symbol>();
  const settings = new WeakMap<pg.PoolClient, symbol | undefined>();

  return {
    /** Call it for a new handle: connections of its tenant reload the tenant's keys. */
    renew(tenantId: string): void {
      if (tenantId !== SYSTEM) newest.set(tenantId, Symbol(tenantId));
    },
    /** After a failure the connection must not be used again: its settings are unknown. */
    async run(client: pg.PoolClient, tenantId: string, query: pg.QueryConfig): Promise<pg.QueryResult> {
      const setting = newest.get(tenantId);
      if (settings.get(client) === setting) return client.query(query);
      const [, result] = await Promise.all([client.query(settle(tenantId)), client.query(query)]);
      settings.set(client, setting);
      return result;
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
