import type { CompiledQuery, Kysely } from 'kysely';

class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * A query that is built and compiled once and run many times, for the paths where building costs more than running.
 * `build` gets the parameters as stand-ins. Each kind of database gets its own compilation.
 */
export function prepared<Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  const stand = new Proxy({}, { get: (_target, name) => new Parameter(String(name)) }) as Values;
  const byDatabase = new Map<unknown, CompiledQuery<Row>>();
  return async (db, values) => {
    const kind = db.getExecutor().adapter.constructor;
    const compiled = byDatabase.get(kind) ?? build(db, stand).compile();
    byDatabase.set(kind, compiled);
    const parameters = compiled.parameters.map((item) =>
      item instanceof Parameter ? (values as Record<string, unknown>)[item.name] : item,
    );
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
