import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { SearchPhrase } from '../../../content/search-text.ts';
import type { Dialect, Executor, FullText } from '../dialect.ts';

/** Weights of the columns name, fields, body in the ranking. */
const RANKING = 'bm25(10.0, 3.0, 1.0)';

const run = <Row>(db: Executor, text: string, ...parameters: unknown[]) =>
  db.executeQuery<Row>(CompiledQuery.raw(text, parameters) as CompiledQuery<Row>);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The query in FTS5's language. Every token is quoted, so nothing a person types is an operator. */
function matchText(phrases: readonly SearchPhrase[]): string {
  const words = phrases.map(({ tokens, prefix }) => quoted(tokens.join(' ')) + (prefix ? ' *' : ''));
  return words.join(' AND ') || quoted('');
}

/** Scopes as one text in which each can be found as a whole. */
const scopeText = (scopes: readonly string[]): string => ` ${scopes.join(' ')} `;

const INSERT = 'insert into entity_search (rowid, name, fields, body) values (?, ?, ?, ?)';
const INSERT_SCOPES = 'insert or replace into entity_search_scopes (row_id, scopes) values (?, ?)';
const REMOVE = 'delete from entity_search where rowid = ?';
const REMOVE_SCOPES = 'delete from entity_search_scopes where row_id = ?';
const LIST = 'select rowid as id from entity_search where rowid > ? order by rowid limit ?';
// Scopes stand beside the index and not in it: as a word that most rows have, one would cost more than the search.
// The cross join keeps the index first, so that its order is the result's.
const MATCHES = `from entity_search as found cross join entity_search_scopes as scoped on scoped.row_id = found.rowid
  where found.entity_search match ? and instr(scoped.scopes, ?) > 0`;
const PAGE = `select found.rowid as id ${MATCHES} order by found.rank limit ? + 0 offset ?`;
const COUNT = `select count(*) as total ${MATCHES}`;

const fullText: FullText = {
  async createIndex(db) {
    await run(db, 'create table entity_search_scopes (row_id integer primary key, scopes text not null)');
    await run(
      db,
      `create virtual table entity_search using fts5 (name, fields, body, content = '', contentless_delete = 1,
       tokenize = 'unicode61 remove_diacritics 2')`,
    );
    await run(db, `insert into entity_search (entity_search, rank) values ('rank', '${RANKING}')`);
    // An import writes many words in many commits: larger and rarer merges save a tenth of its time.
    await run(db, `insert into entity_search (entity_search, rank) values ('automerge', 8)`);
    await run(db, `insert into entity_search (entity_search, rank) values ('hashsize', 8000000)`);
  },
  async put(db, rows) {
    for (const row of rows) {
      await run(db, INSERT_SCOPES, row.row_id, scopeText(row.scopes));
      await run(db, INSERT, row.row_id, row.name, row.fields, row.body);
    }
  },
  async remove(db, rowIds) {
    for (const id of rowIds) {
      await run(db, REMOVE_SCOPES, id);
      await run(db, REMOVE, id);
    }
  },
  async list(db, after, limit) {
    const page = await run<{ id: number }>(db, LIST, after, limit);
    return page.rows.map((row) => row.id);
  },
  async find(db, { scope, phrases, limit, offset }) {
    const match = [matchText(phrases), scopeText([scope])];
    const page = await run<{ id: number }>(db, PAGE, ...match, limit, offset);
    const rowIds = page.rows.map((row) => row.id);
    if (offset === 0 && rowIds.length < limit) return { rowIds, total: rowIds.length };
    const count = await run<{ total: number }>(db, COUNT, ...match);
    return { rowIds, total: count.rows[0]?.total ?? 0 };
  },
  ranked: (scope, phrases) =>
    sql`(select found.rowid as row_id, -found.rank as relevance
      from entity_search as found cross join entity_search_scopes as scoped on scoped.row_id = found.rowid
      where found.entity_search match ${matchText(phrases)} and instr(scoped.scopes, ${scopeText([scope])}) > 0)`,
  matching: (scope, phrases): RawBuilder<number> =>
    sql<number>`(select rowid from entity_search where entity_search match ${matchText(phrases)}
      and exists (select 1 from entity_search_scopes as scoped
        where scoped.row_id = entity_search.rowid and instr(scoped.scopes, ${scopeText([scope])}) > 0))`,
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
