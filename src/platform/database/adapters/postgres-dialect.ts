import { type RawBuilder, sql } from 'kysely';
import { type SearchPhrase, searchTokens } from '../../../content/search-text.ts';
import { run } from '../connection-driver.ts';
import type { Dialect, FullText, SearchRow } from '../dialect.ts';

/** PostgreSQL stores no position beyond this, and no vector over a megabyte. */
const LAST_POSITION = 16_383;
const MOST_TOKENS = 40_000;

const quoted = (token: string): string => `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** A tsvector literal made of our own tokens, so that both databases find the same words. */
function vectorText(row: SearchRow): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  let count = 0;
  const add = (text: string, weight: string) => {
    for (const token of searchTokens(text)) {
      if (count >= MOST_TOKENS) return;
      count += 1;
      position += 1;
      const places = positions.get(token) ?? [];
      if (places.length < 100) places.push(`${Math.min(position, LAST_POSITION)}${weight}`);
      positions.set(token, places);
    }
    position += 1;
  };
  add(row.name, 'A');
  add(row.fields, 'B');
  add(row.body, 'C');
  return [...positions].map(([token, places]) => `${quoted(token)}:${places.join(',')}`).join(' ');
}

const labelOf = (isPrefix: boolean, weight: string): string =>
  isPrefix || weight !== '' ? `:${isPrefix ? '*' : ''}${weight}` : '';

/** The query as a tsquery literal: phrases of quoted words, the last word of each a prefix if requested. */
const queryText = (phrases: readonly SearchPhrase[], weight: '' | 'A' = ''): string =>
  phrases
    .map(({ tokens, prefix }) => {
      const words = tokens.map(
        (token, index) => quoted(token) + labelOf(prefix && index === tokens.length - 1, weight),
      );
      return `(${words.join(' <-> ')})`;
    })
    .join(' & ');

const MATCHES =
  'from entity_search where vector @@ $1::tsquery and scopes @> array[$2] and not scopes && $3::text[]';

const fullText: FullText = {
  async createIndex(db) {
    await run(
      db,
      'create table entity_search (row_id bigint primary key, scopes text[] not null, vector tsvector not null)',
    );
    await run(db, 'create index entity_search_vector on entity_search using gin (vector)');
  },
  createBuffer: async () => {},
  caughtUp: async () => {},
  async put(db, rows) {
    if (rows.length === 0) return;
    const payload = rows.map((row) => ({ row_id: row.row_id, scopes: row.scopes, vector: vectorText(row) }));
    await run(
      db,
      `insert into entity_search (row_id, scopes, vector)
       select row_id, scopes, vector::tsvector from jsonb_to_recordset($1::jsonb) as r(row_id bigint, scopes text[], vector text)
       on conflict (row_id) do update set scopes = excluded.scopes, vector = excluded.vector`,
      JSON.stringify(payload),
    );
  },
  async remove(db, rowIds) {
    await run(db, 'delete from entity_search where row_id = any($1::bigint[])', rowIds);
  },
  async list(db, after, limit) {
    const page = await run<{ row_id: number }>(
      db,
      'select row_id from entity_search where row_id > $1 order by row_id limit $2',
      after,
      limit,
    );
    return page.rows.map((row) => row.row_id);
  },
  async find(db, { scope, without = [], phrases, inName = false, limit, offset }) {
    const query = queryText(phrases, inName ? 'A' : '');
    const page = await run<{ row_id: number; total: number }>(
      db,
      `select row_id, count(*) over () as total ${MATCHES}
       order by ts_rank('{0, 0.1, 0.3, 1}', vector, $1::tsquery) desc, row_id limit $4 offset $5`,
      query,
      scope,
      without,
      limit,
      offset,
    );
    const first = page.rows[0];
    if (first) return { rowIds: page.rows.map((row) => row.row_id), total: first.total };
    if (offset === 0) return { rowIds: [], total: 0 };
    const count = await run<{ total: number }>(
      db,
      `select count(*) as total ${MATCHES}`,
      query,
      scope,
      without,
    );
    return { rowIds: [], total: count.rows[0]?.total ?? 0 };
  },
  ranked: (scope, phrases) => {
    const query = queryText(phrases);
    return sql`(select row_id, ts_rank('{0, 0.1, 0.3, 1}', vector, ${query}::tsquery) as relevance
      from entity_search where vector @@ ${query}::tsquery and scopes @> array[${scope}])`;
  },
  matching: (scope, phrases): RawBuilder<number> =>
    sql<number>`(select row_id from entity_search where vector @@ ${queryText(phrases)}::tsquery and scopes @> array[${scope}])`,
};

/** The operator `#>` would take a numeric key for a list index. */
const placeOf = (column: string, path: readonly string[]) =>
  path.reduce((inner, key) => sql`${inner} -> ${key}::text`, sql`${sql.ref(column)}::jsonb`);

export const postgresDialect: Dialect = {
  name: 'postgres',
  text: sql`text collate "C"`,
  bigint: sql`bigint`,
  double: sql`double precision`,
  bytes: sql`bytea`,
  fullText,
  forUpdate: sql`for update`,
  forUpdateSkipLocked: sql`for update skip locked`,
  async upsert(db, table, rows, { conflict, update }) {
    if (rows.length === 0) return;
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    const assignments = update.map((column) => `${column} = excluded.${column}`).join(', ');
    await run(
      db,
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)
       on conflict (${conflict.join(', ')}) do ${assignments ? `update set ${assignments}` : 'nothing'}`,
      JSON.stringify(rows),
    );
  },
  isAmongFirst: (table, column, value, most) =>
    sql<boolean>`ctid = any(array(select ctid from ${sql.table(table)} where ${sql.ref(column)} = ${value} limit ${most}))`,
  jsonKnows: (column, path) => sql<boolean>`${placeOf(column, path)} is not null`,
  jsonAt: (column, path) =>
    sql<
      string | null
    >`(${path.reduce((inner, key) => sql`${inner} -> ${key}::text`, sql`${sql.ref(column)}::json`)})::text`,
  jsonHas: (column, path, value) => {
    const place = placeOf(column, path);
    return sql<boolean>`exists (select 1 from jsonb_array_elements_text(
      case jsonb_typeof(${place}) when 'array' then ${place} when 'object' then '[]'::jsonb
      else jsonb_build_array(${place}) end) as item(value) where item.value = ${value})`;
  },
};
