import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type Expression,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';

interface TenantColumn {
  tenant_id: unknown;
}
interface ProjectColumns extends TenantColumn {
  project_id: unknown;
}
interface ReplicaColumns extends ProjectColumns {
  replica: unknown;
}

type TablesWith<DB, Columns> = { [T in keyof DB]: DB[T] extends Columns ? T : never }[keyof DB] & string;

/**
 * Queries over the rows of one project alone. Both conditions are set here, so that no store can forget one: SQLite has
 * no row policy behind it. A table is named without an alias.
 */
export const inProject = <DB>(db: Kysely<DB>, scope: { tenantId: string; projectId: string }) =>
  within<DB, ProjectColumns>(
    db,
    (table) =>
      sql`${sql.ref(`${table}.tenant_id`)} = ${scope.tenantId} and ${sql.ref(`${table}.project_id`)} = ${scope.projectId}`,
  );

/** The same for one replica of the project, such as the cloud. */
export const inReplica = <DB>(
  db: Kysely<DB>,
  scope: { tenantId: string; projectId: string; replica: string },
) =>
  within<DB, ReplicaColumns>(
    db,
    (table) =>
      sql`${sql.ref(`${table}.tenant_id`)} = ${scope.tenantId} and ${sql.ref(`${table}.project_id`)} = ${scope.projectId} and ${sql.ref(`${table}.replica`)} = ${scope.replica}`,
  );

/** For keys that are unique across the tenant's projects, and for what it owns as a whole. */
export const inTenant = <DB>(db: Kysely<DB>, tenantId: string) =>
  within<DB, TenantColumn>(db, (table) => sql`${sql.ref(`${table}.tenant_id`)} = ${tenantId}`);

export const scopeOf = (row: { tenant_id: string; project_id: string }) => ({
  tenantId: row.tenant_id,
  projectId: row.project_id,
});

/** Kysely resolves the type of a builder only for a table known by name, so the builder is typed here by hand. */
function within<DB, Columns>(db: Kysely<DB>, isOwn: (table: string) => Expression<SqlBool>) {
  return {
    selectFrom: <T extends TablesWith<DB, Columns>>(table: T) =>
      (db.selectFrom(table) as unknown as SelectQueryBuilder<DB, T, object>).where(isOwn(table)),
    updateTable: <T extends TablesWith<DB, Columns>>(table: T) =>
      (db.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>).where(isOwn(table)),
    deleteFrom: <T extends TablesWith<DB, Columns>>(table: T) =>
      (db.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>).where(isOwn(table)),
  };
}
