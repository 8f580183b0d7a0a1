import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { connectionDriver } from '../connection-driver.ts';

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

/** A Kysely over a pool or one client. */
export function kyselyOver(runner: Runner): Kysely<unknown> {
  const connection = connectionOn(runner);
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => connectionDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
