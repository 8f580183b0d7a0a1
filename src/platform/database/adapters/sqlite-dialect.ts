import { sql } from 'kysely';
import type { Dialect, FullText } from '../dialect.ts';
import { runEach } from './sqlite-connection.ts';

interface Upsert {
  table: string;
  columns: readonly string[];
  conflict: readonly string[];
  update: readonly string[];
}

function writeUpsert({ table, columns, conflict, update }: Upsert): string {
  const assignments = update.map((column) => `${column} = excluded.${column}`).join(', ');
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
    on conflict (${conflict.join(', ')}) do ${assignments ? `update set ${assignments}` : 'nothing'}`;
}

const sameNames = (some: readonly string[], others: readonly string[]): boolean =>
  some === others || (some.length === others.length && some.every((name, index) => name === others[index]));

/** The last SQL text of each table: an identical string finds the cached statement faster. */
const texts = new Map<string, Upsert & { text: string }>();

function upsertText(wanted: Upsert): string {
  const last = texts.get(wanted.table);
  const isSame =
    last &&
    sameNames(last.columns, wanted.columns) &&
    sameNames(last.conflict, wanted.conflict) &&
    sameNames(last.update, wanted.update);
  if (isSame) return last.text;
  const text = writeUpsert(wanted);
  texts.set(wanted.table, { ...wanted, text });
  return text;
}

const placeOf = (path: readonly string[]): string =>
  `$${path.map((part) => `.${JSON.stringify(part)}`).join('')}`;

export const createSqliteDialect = (fullText: FullText): Dialect => ({
  name: 'sqlite',
  text: sql`text`,
  bigint: sql`integer`,
  double: sql`real`,
  bytes: sql`blob`,
  fullText,
  // A writer has the whole database to itself.
  forUpdate: sql``,
  forUpdateSkipLocked: sql``,
  async upsert(db, table, rows, { conflict, update }) {
    if (rows.length === 0) return;
    const columns = Object.keys(rows[0] ?? {});
    const text = upsertText({ table, columns, conflict, update });
    const values = (rows as readonly Record<string, unknown>[]).map((row) =>
      columns.map((column) => row[column]),
    );
    // Row by row: one statement for many rows was measured to be no faster.
    await runEach(db, text, values);
  },
  isAmongFirst: (table, column, value, most) =>
    sql<boolean>`rowid in (select rowid from ${sql.table(table)} where ${sql.ref(column)} = ${value} limit ${most})`,
  jsonKnows: (column, path) => sql<boolean>`json_type(${sql.ref(column)}, ${placeOf(path)}) is not null`,
  jsonAt: (column, path) => sql<string | null>`${sql.ref(column)} -> ${placeOf(path)}`,
  jsonHas: (column, path, value) => {
    const place = placeOf(path);
    return sql<boolean>`exists (select 1 from json_each(${sql.ref(column)}, ${place}) as item
      where json_type(${sql.ref(column)}, ${place}) <> 'object' and item.type not in ('object', 'array') and case item.type when 'true' then 'true' when 'false' then 'false'
      else cast(item.value as text) end = ${value})`;
  },
});
