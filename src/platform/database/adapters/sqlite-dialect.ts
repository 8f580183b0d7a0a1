import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { SearchPhrase } from '../../../content/search-text.ts';
import type { Dialect, Executor, FullText } from '../dialect.ts';

/** Weights of the columns scope, name, fields, body in the ranking. */
const RANKING = 'bm25(0.0, 10.0, 3.0, 1.0)';

const run = <Row>(db: Executor, text: string, ...parameters: unknown[]) =>
  db.executeQuery<Row>(CompiledQuery.raw(text, parameters) as CompiledQuery<Row>);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The query in FTS5's language. Every token is quoted, so nothing a person types is an operator. */
function matchText(scope: string, phrases: readonly SearchPhrase[]): string {
  const words = phrases.map(({ tokens, prefix }) => quoted(tokens.join(' ')) + (prefix ? ' *' : ''));
  return [`scope : ${quoted(scope)}`, ...words.map((word) => `{name fields body} : ${word}`)].join(' AND ');
}

const INSERT = 'insert into entity_search (rowid, scope, name, fields, body) values (?, ?, ?, ?, ?)';
const REMOVE = 'delete from entity_search where rowid = ?';
const LIST = 'select rowid as id from entity_search where rowid > ? order by rowid limit ?';
const PAGE =
  'select rowid as id from entity_search where entity_search match ? order by rank limit ? offset ?';
const COUNT = 'select count(*) as total from entity_search where entity_search match ?';

const fullText: FullText = {
  async createIndex(db) {
    await run(
      db,
      `create virtual table entity_search using fts5 (scope, name, fields, body, content = '', contentless_delete = 1,
       tokenize = 'unicode61 remove_diacritics 2')`,
    );
    await run(db, `insert into entity_search (entity_search, rank) values ('rank', '${RANKING}')`);
  },
  async put(db, rows) {
    for (const row of rows) {
      await run(db, INSERT, row.row_id, row.scopes.join(' '), row.name, row.fields, row.body);
    }
  },
  async remove(db, rowIds) {
    for (const id of rowIds) await run(db, REMOVE, id);
  },
  async list(db, after, limit) {
    const page = await run<{ id: number }>(db, LIST, after, limit);
    return page.rows.map((row) => row.id);
  },
  async find(db, { scope, phrases, limit, offset }) {
    const match = matchText(scope, phrases);
    const page = await run<{ id: number }>(db, PAGE, match, limit, offset);
    const found = page.rows.length;
    if (offset === 0 && found < limit) return { rowIds: page.rows.map((row) => row.id), total: found };
    const count = await run<{ total: number }>(db, COUNT, match);
    return { rowIds: page.rows.map((row) => row.id), total: count.rows[0]?.total ?? 0 };
  },
  matching: (scope, phrases): RawBuilder<number> =>
    sql<number>`(select rowid from entity_search where entity_search match ${matchText(scope, phrases)})`,
};

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  text: sql`text`,
  bigint: sql`integer`,
  double: sql`real`,
  fullText,
  async upsert(db, table, rows, { conflict, update }) {
    const columns = Object.keys(rows[0] ?? {});
    const assignments = update.map((column) => `${column} = excluded.${column}`).join(', ');
    const text = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
      on conflict (${conflict.join(', ')}) do ${assignments ? `update set ${assignments}` : 'nothing'}`;
    for (const row of rows) await run(db, text, ...Object.values(row));
  },
  jsonHas: (column, path, value) => {
    const place = `$${path.map((part) => `.${JSON.stringify(part)}`).join('')}`;
    return sql<boolean>`exists (select 1 from json_each(${sql.ref(column)}, ${place}) as item
      where json_type(${sql.ref(column)}, ${place}) <> 'object' and item.type not in ('object', 'array') and case item.type when 'true' then 'true' when 'false' then 'false'
      else cast(item.value as text) end = ${value})`;
  },
};
