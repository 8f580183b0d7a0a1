import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { QueryResult as Answer, QueryConfig } from 'pg';
import { connectionDriver } from '../connection-driver.ts';
import type { NamedQuery } from '../prepared.ts';

interface Runner {
  query(query: QueryConfig): Promise<Answer>;
}

function connectionOn(runner: Runner): DatabaseConnection {
  const executeQuery = async <R>({ sql, parameters, name }: NamedQuery): Promise<QueryResult<R>> => {
    const result = await runner.query({ text: sql, values: [...parameters], ...(name && { name }) });
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
