import pg from 'pg';
import { KEYS_FUNCTION, KEYS_SETTING, TENANT_ROLE, TENANT_SETTING } from './postgres-wall.ts';

/** The handle of the installation, which no wall holds back. */
export const SYSTEM = '';

/** Superusers pass every policy, so a tenant's queries run as a role that does not. An ordinary owner stays who it is. */
const roleOf = (tenantId: string): string =>
  tenantId === SYSTEM
    ? "'none'"
    : `(select case when rolsuper or rolbypassrls then '${TENANT_ROLE}' else 'none' end
        from pg_roles where rolname = session_user)`;

/** The tenant comes first: its keys are looked up under its own policies. */
function settle(tenantId: string): string {
  const tenant = pg.escapeLiteral(tenantId);
  const keys = tenantId === SYSTEM ? "''" : `${KEYS_FUNCTION}(${tenant})`;
  return `select set_config('${TENANT_SETTING}', ${tenant}, false), set_config('${KEYS_SETTING}', ${keys}, false),
    set_config('role', ${roleOf(tenantId)}, false)`;
}

/**
 * Whose queries each connection is set to answer. One that was another tenant's gets the change sent ahead of the query
 * without waiting for it, so that it costs no round trip.
 */
export function createSessions() {
  // Stands for a tenant with the keys that it had when its newest handle was made.
  const newest = new Map<string, symbol>();
  const settings = new WeakMap<pg.PoolClient, symbol | undefined>();

  return {
    /** Tells of a new handle: connections that are set to its tenant learn its keys anew. */
    renew(tenantId: string): void {
      if (tenantId !== SYSTEM) newest.set(tenantId, Symbol(tenantId));
    },
    /** Runs a query as a tenant. When it fails, the connection must not be used again: how it is set is not known. */
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
