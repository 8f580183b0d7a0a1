import Sqlite from 'better-sqlite3';
import {
  type BinaryOperationNode,
  type Compilable,
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type KyselyConfig,
  type OperationNode,
  PrimitiveValueListNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { connectionDriver } from '../connection-driver.ts';
import type { Executor } from '../dialect.ts';

const CACHED_STATEMENTS = 300;

/** Saves each row the overhead of a query. */
interface ManyQuery extends CompiledQuery {
  readonly rows?: readonly (readonly unknown[])[];
}

export class SqliteConnection implements DatabaseConnection {
  readonly #handle: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement<unknown[]>>();

  constructor(handle: Sqlite.Database) {
    this.#handle = handle;
  }

  get inTransaction(): boolean {
    return this.#handle.inTransaction;
  }

  #prepare(text: string): Sqlite.Statement<unknown[]> {
    const known = this.#statements.get(text);
    if (known) return known;
    if (this.#statements.size >= CACHED_STATEMENTS) this.#statements.clear();
    const statement = this.#handle.prepare<unknown[]>(text);
    this.#statements.set(text, statement);
    return statement;
  }

  executeQuery<R>(query: ManyQuery): Promise<QueryResult<R>> {
    try {
      const statement = this.#prepare(query.sql);
      if (query.rows !== undefined) {
        for (const row of query.rows) statement.run(...row);
        return Promise.resolve({ rows: [] });
      }
      if (statement.reader) return Promise.resolve({ rows: statement.all(...query.parameters) as R[] });
      const { changes, lastInsertRowid } = statement.run(...query.parameters);
      return Promise.resolve({
        rows: [],
        numAffectedRows: BigInt(changes),
        insertId: BigInt(lastInsertRowid),
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** In one chunk: SQLite answers synchronously. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}

const LONG_LIST = 32;

/** As JSON; undefined for a short list, or if JSON would change a value. */
function longList(operand: OperationNode): string | undefined {
  if (!PrimitiveValueListNode.is(operand) || operand.values.length < LONG_LIST) return undefined;
  const isSafe = operand.values.every((value) => typeof value === 'string' || Number.isSafeInteger(value));
  return isSafe ? JSON.stringify(operand.values) : undefined;
}

class QueryCompiler extends SqliteQueryCompiler {
  /**
   * Passes a long list as one parameter: with one parameter per value, each length would be another statement to parse,
   * plan and cache.
   */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const list = longList(node.rightOperand);
    if (list === undefined) super.visitBinaryOperation(node);
    else {
      this.visitNode(node.leftOperand);
      this.append(' ');
      this.visitNode(node.operator);
      this.append(' (select value from json_each(');
      this.appendValue(list);
      this.append('))');
    }
  }

  /**
   * With a bare `?` SQLite replans a query with a limit, or with `= ?` and an order, at every run, which costs more than most
   * queries. It does not look into an expression.
   */
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** Runs compiled queries without Kysely's plugins and connection handling, which cost more than a look-up. */
class DirectKysely extends Kysely<unknown> {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection, config: KyselyConfig) {
    super(config);
    this.#connection = connection;
  }

  override executeQuery<R>(query: CompiledQuery<R> | Compilable<R>): Promise<QueryResult<R>> {
    return this.#connection.executeQuery('compile' in query ? query.compile() : query);
  }
}

export async function runEach(
  db: Executor,
  text: string,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const query: ManyQuery = { ...CompiledQuery.raw(text), rows };
  await db.executeQuery(query);
}

/** True if another process holds a lock that the statement needs. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

/**
 * Every commit empties the cache of all connections but the writer's own. Outside a transaction the writer sees what a reader
 * would, so it reads as well. It never waits for another process: the reader then does.
 */
export function readingConnection(reader: SqliteConnection, writer: SqliteConnection): DatabaseConnection {
  return {
    executeQuery: <R>(query: CompiledQuery) =>
      writer.inTransaction
        ? reader.executeQuery<R>(query)
        : writer.executeQuery<R>(query).catch((error: unknown) => {
            if (isLocked(error)) return reader.executeQuery<R>(query);
            throw error;
          }),
    streamQuery: (query) => reader.streamQuery(query),
  };
}

export function kyselyOver(connection: DatabaseConnection): Kysely<unknown> {
  return new DirectKysely(connection, {
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => connectionDriver(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new QueryCompiler(),
    },
  });
}
