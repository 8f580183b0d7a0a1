import { setImmediate as turn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type SearchPhrase, withShortWords } from '../../../content/search-text.ts';
import { createPauses } from '../../../kit/pauses.ts';
import { run } from '../connection-driver.ts';
import type { Executor, FullText } from '../dialect.ts';
import { runEach } from './sqlite-connection.ts';

export type WriteTransaction = (work: (db: Executor) => Promise<void>) => Promise<void>;

/** Weights of the columns name, fields, body in the ranking. */
const RANKING = 'bm25(10.0, 3.0, 1.0)';

/** Rows that are buffered before they are indexed together. */
const BATCH = 64;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The query in FTS5's syntax. Every token is quoted, so nothing that a person types is an operator. */
function matchText(phrases: readonly SearchPhrase[]): string {
  const words = phrases.map(({ tokens, prefix }) => quoted(tokens.join(' ')) + (prefix ? ' *' : ''));
  return words.join(' AND ') || quoted('');
}

/** Each scope can be found as a whole word. */
const scopeText = (scopes: readonly string[]): string => ` ${scopes.join(' ')} `;

const INSERT = 'insert into entity_search (rowid, name, fields, body) values (?, ?, ?, ?)';
// Unchanged scopes, the usual case in a save, change no page.
const PUT_SCOPES = `insert into entity_search_scopes (row_id, scopes) values (?, ?)
  on conflict (row_id) do update set scopes = excluded.scopes where scopes <> excluded.scopes`;
const REMOVE = 'delete from entity_search where rowid = ?';
const REMOVE_SCOPES = 'delete from entity_search_scopes where row_id = ?';
// A buffered row without a text is to be removed from the index.
const WAIT = 'insert or replace into entity_search_waiting (row_id, name, fields, body) values (?, ?, ?, ?)';
const FORGET_WAITING = 'delete from entity_search_waiting where row_id = ? returning row_id';
const ANY_WAITS = 'select 1 from entity_search_waiting limit 1';
const FLUSH = `insert into entity_search (entity_search) values ('flush')`;
const WAITING = 'select row_id, name, fields, body from entity_search_waiting';
const LIST = `select id from (select rowid as id from entity_search where rowid > ? and not exists (
    select 1 from entity_search_waiting as waiting where waiting.row_id = entity_search.rowid and waiting.name is null)
    order by rowid limit ? + 0)
  union select row_id from entity_search_waiting where row_id > ? and name is not null order by id limit ? + 0`;
// Scopes are not indexed: a term that nearly every row contains would make each search scan them all. The
// cross join keeps the index first: the other way round, each row of the project would be looked up in it.
const MATCHES = `from entity_search as found cross join entity_search_scopes as scoped on scoped.row_id = found.rowid
  where found.entity_search match ? and instr(scoped.scopes, ?) > 0`;
const OMITTED = ' and instr(scoped.scopes, ?) = 0';
// Matches are found once for the page and for the total, which is part of the single row even of an empty page.
const pageOf = (matches: string) => `with matches as materialized (
    select found.rowid as id, found.rank as score ${matches})
  select id, total from (select count(*) as total from matches)
    left join (select id, score from matches order by score, id limit ? + 0 offset ?)
  order by score, id`;

export interface SqliteFullText extends FullText {
  /** Call it before a commit, which would otherwise write all new words without yielding: half of an import's commit time. */
  flush(db: Executor): Promise<void>;
  /** Indexes what this process has buffered. */
  close(): Promise<void>;
}

interface WaitingRow {
  row_id: number;
  name: string | null;
  fields: string | null;
  body: string | null;
}

async function indexWaiting(db: Executor): Promise<void> {
  const { rows } = await run<WaitingRow>(db, WAITING);
  const pause = createPauses();
  for (const { row_id, name, fields, body } of rows) {
    await run(db, REMOVE, row_id);
    if (name !== null) await run(db, INSERT, row_id, name, fields, body);
    await pause();
  }
  await run(db, 'delete from entity_search_waiting');
}

interface Change {
  rowId: number;
  /** Null for a row that is removed. */
  texts: readonly string[] | null;
  isNew: boolean;
}

/** Changes the index itself. A buffered row may have an older text in the index. */
async function indexNow(db: Executor, changes: readonly Change[]): Promise<void> {
  const { rows: some } = await run(db, ANY_WAITS);
  const pause = createPauses();
  for (const { rowId, texts, isNew } of changes) {
    const waited = some.length > 0 && (await run(db, FORGET_WAITING, rowId)).rows.length > 0;
    if (!isNew || waited) await run(db, REMOVE, rowId);
    if (texts !== null) await run(db, INSERT, rowId, ...texts);
    await pause();
  }
}

/**
 * Full text in FTS5. A commit that touches the index costs more than everything else in a save, so single rows go into a
 * buffer table in the same transaction and are indexed together: when there are many, and before a search.
 */
export function createSqliteFullText(write: WriteTransaction): SqliteFullText {
  /** Upper bound of the rows that this process has buffered. */
  let waiting = 0;
  /** True if an earlier run may have left buffered rows. */
  let inherited = true;
  let indexing: Promise<void> | null = null;
  /** True if the index holds words in memory that are not yet in its pages. */
  let isUnwritten = false;

  async function index(): Promise<void> {
    const seen = waiting;
    try {
      await write(async (db) => {
        isUnwritten = true;
        await indexWaiting(db);
      });
      waiting -= seen;
      inherited = false;
    } finally {
      indexing = null;
    }
  }

  const indexOnce = (): Promise<void> => {
    indexing ??= index();
    return indexing;
  };

  const isBehind = (): boolean => waiting > 0 || inherited;

  async function catchUp(): Promise<void> {
    // The running pass may have begun before the last row was buffered.
    await indexing;
    if (isBehind()) await indexOnce();
  }

  // A full disk must not keep anybody from searching the rows that are indexed.
  const caughtUp = (): Promise<void> | undefined => (isBehind() ? catchUp().catch(() => {}) : undefined);

  async function change(db: Executor, changes: readonly Change[]) {
    if (changes.length >= BATCH) {
      isUnwritten = true;
      await indexNow(db, changes);
      return;
    }
    for (const { rowId, texts } of changes) await run(db, WAIT, rowId, ...(texts ?? [null, null, null]));
    waiting += changes.length;
    // After a failure the next search tries again.
    if (waiting >= BATCH) indexOnce().catch(() => {});
  }

  return {
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
    async createBuffer(db) {
      const columns = 'row_id integer primary key, name text, fields text, body text';
      await run(db, `create table entity_search_waiting (${columns})`);
    },
    async put(db, rows) {
      await runEach(
        db,
        PUT_SCOPES,
        rows.map((row) => [row.row_id, scopeText(row.scopes)]),
      );
      await change(
        db,
        rows.map(({ row_id, name, fields, body, isNew }) => ({
          rowId: row_id,
          texts: [name, fields, body].map(withShortWords),
          isNew,
        })),
      );
    },
    async remove(db, rowIds) {
      await runEach(
        db,
        REMOVE_SCOPES,
        rowIds.map((id) => [id]),
      );
      await change(
        db,
        rowIds.map((rowId) => ({ rowId, texts: null, isNew: false })),
      );
    },
    async flush(db) {
      if (!isUnwritten) return;
      isUnwritten = false;
      await run(db, FLUSH);
      await turn();
    },
    caughtUp: async () => caughtUp(),
    async close() {
      if (waiting > 0) await caughtUp();
    },
    async list(db, after, limit) {
      const page = await run<{ id: number }>(db, LIST, after, limit, after, limit);
      return page.rows.map((row) => row.id);
    },
    async find(db, { scope, without = [], phrases, inName = false, limit, offset }) {
      await caughtUp();
      const { rows } = await run<{ id: number | null; total: number }>(
        db,
        pageOf(MATCHES + OMITTED.repeat(without.length)),
        inName ? `{name} : (${matchText(phrases)})` : matchText(phrases),
        scopeText([scope]),
        ...without.map((each) => scopeText([each])),
        limit,
        offset,
      );
      return { rowIds: rows.flatMap(({ id }) => id ?? []), total: rows[0]?.total ?? 0 };
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
}
