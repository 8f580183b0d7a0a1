import type { CompiledQuery, Kysely } from 'kysely';

class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The database may cache it, parsed and planned, under its name. */
export interface NamedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly name?: string;
}

let named = 0;

interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * A query that is built and compiled once and run many times, for paths where building and planning cost more than
 * running. It must name its columns: with `*`, a connection that has prepared it fails after a migration adds one.
 * `build` gets placeholders for the parameters. Each kind of database gets its own compilation.
 */
export function prepared<Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  const stand = new Proxy({}, { get: (_target, name) => new Parameter(String(name)) }) as Values;
  const byDatabase = new Map<unknown, NamedQuery<Row>>();
  const compile = (db: Kysely<Tables>): NamedQuery<Row> => {
    named += 1;
    return { ...build(db, stand).compile(), name: `canonry ${named}` };
  };
  return async (db, values) => {
    const kind = db.getExecutor().adapter.constructor;
    const compiled = byDatabase.get(kind) ?? compile(db);
    byDatabase.set(kind, compiled);
    const parameters = compiled.parameters.map((item) =>
      item instanceof Parameter ? (values as Record<string, unknown>)[item.name] : item,
    );
    const query: NamedQuery<Row> = { ...compiled, parameters };
    return (await db.executeQuery<Row>(query)).rows;
  };
}
