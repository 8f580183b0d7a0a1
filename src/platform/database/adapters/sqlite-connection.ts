import type Sqlite from 'better-sqlite3';
import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type KyselyConfig,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { connectionDriver } from '../connection-driver.ts';

const CACHED_STATEMENTS = 300;

/** Runs compiled queries on one better-sqlite3 handle, keeping prepared statements by their text. */
class SqliteConnection implements DatabaseConnection {
  readonly #handle: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement<unknown[]>>();

  constructor(handle: Sqlite.Database) {
    this.#handle = handle;
  }

  #prepare(text: string): Sqlite.Statement<unknown[]> {
    const known = this.#statements.get(text);
    if (known) return known;
    if (this.#statements.size >= CACHED_STATEMENTS) this.#statements.clear();
    const statement = this.#handle.prepare<unknown[]>(text);
    this.#statements.set(text, statement);
    return statement;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const statement = this.#prepare(query.sql);
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

  /** One chunk: SQLite answers in the same turn. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}

/** SQLite plans a query anew for every value of a bare `limit ?`, which takes longer than most queries; not for a sum. */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }
}

/** Runs what is compiled already without Kysely's way through plugins and connection, which costs more than a look-up. */
class DirectKysely extends Kysely<unknown> {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, config: KyselyConfig) {
    super(config);
    this.#connection = connection;
  }

  override executeQuery<R>(query: CompiledQuery<R> | Compilable<R>): Promise<QueryResult<R>> {
    return this.#connection.executeQuery('compile' in query ? query.compile() : query);
  }
}

/** A Kysely over one handle. */
export function kyselyOver(handle: Sqlite.Database): Kysely<unknown> {
  const connection = new SqliteConnection(handle);
  return new DirectKysely(connection, {
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => connectionDriver(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new QueryCompiler(),
    },
  });
}
