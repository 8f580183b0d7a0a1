import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';

/** Where a query runs: any connection of the pool, or the one of a transaction. */
type Runner = Pool | PoolClient;

function connectionOn(runner: Runner): DatabaseConnection {
  const executeQuery = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    const result = await runner.query(query.sql, [...query.parameters]);
    const affected = result.command === 'SELECT' ? undefined : BigInt(result.rowCount ?? 0);
    return { rows: result.rows as R[], ...(affected !== undefined && { numAffectedRows: affected }) };
  };
  return {
    executeQuery,
    async *streamQuery<R>(query: CompiledQuery) {
      yield await executeQuery<R>(query);
    },
  };
}

/** A Kysely over a pool or one client. Transactions are begun by the write queue, never by Kysely. */
export function kyselyOver(runner: Runner): Kysely<unknown> {
  const connection = connectionOn(runner);
  const refuse = () => Promise.reject(new Error('transactions are the write queue’s'));
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  };
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
