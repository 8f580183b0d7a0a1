import type { Kysely, RawBuilder } from 'kysely';
import type { SearchPhrase } from '../../content/search-text.ts';

/** Whatever runs compiled queries: a database or a transaction. */
export type Executor = Pick<Kysely<unknown>, 'executeQuery'>;

/** Folded by `searchableText`, so that every database indexes the same words. */
export interface SearchText {
  name: string;
  fields: string;
  body: string;
}

export interface SearchRow extends SearchText {
  row_id: number;
  /** Narrowing keys: a row is found only under one of its scopes. */
  scopes: readonly string[];
  /** Nothing is known of the row yet, which saves a look. */
  isNew: boolean;
}

export interface SearchQuery {
  scope: string;
  /** Rows under one of these scopes are left out. */
  without?: readonly string[];
  phrases: readonly SearchPhrase[];
  limit: number;
  offset: number;
}

/** Full text over entities: best match first, name before fields before body. */
export interface FullText {
  /** Creates what the index needs. */
  createIndex(db: Executor): Promise<void>;
  /** Creates where rows wait for being indexed together, which came later than the index. */
  createBuffer(db: Executor): Promise<void>;
  /** Adds rows, and replaces those that are there. */
  put(db: Executor, rows: readonly SearchRow[]): Promise<void>;
  remove(db: Executor, rowIds: readonly number[]): Promise<void>;
  /** Resolves when `ranked` and `matching` know of all that was committed before the call; `find` sees to that itself. */
  caughtUp(): Promise<void>;
  /** Row ids in the index above `after`, in their order. */
  list(db: Executor, after: number, limit: number): Promise<number[]>;
  /** Row ids of a page of matches, best first, and how many match in all. */
  find(db: Executor, query: SearchQuery): Promise<{ rowIds: number[]; total: number }>;
  /** The same matches as a table to join where something else narrows them too; more relevance is a better match. */
  ranked(scope: string, phrases: readonly SearchPhrase[]): RawBuilder<{ row_id: number; relevance: number }>;
  /** A subquery of the matching row ids, to be used as `row_id in (…)` when another order is asked. */
  matching(scope: string, phrases: readonly SearchPhrase[]): RawBuilder<number>;
}

export interface UpsertOptions {
  /** Columns that identify a row. */
  conflict: readonly string[];
  /** Columns to overwrite when the row is there; none: the row stays as it is. */
  update: readonly string[];
}

/** All that differs between the two databases. Everything else is the same Kysely query. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Column type of text that sorts by code point on both. */
  readonly text: RawBuilder<unknown>;
  readonly bigint: RawBuilder<unknown>;
  readonly double: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  readonly fullText: FullText;
  /** At the end of a query: its rows are this transaction's until its end. */
  readonly forUpdate: RawBuilder<unknown>;
  /** The same, without the rows that are another transaction's. */
  readonly forUpdateSkipLocked: RawBuilder<unknown>;
  /** Inserts or overwrites many rows, all with the columns of the first, with as few round trips as the database allows. */
  upsert(db: Executor, table: string, rows: readonly object[], options: UpsertOptions): Promise<void>;
  /** Whether a row of `table` is among the first `most` that have `value` in `column`: what is to go of many goes in parts. */
  isAmongFirst(table: string, column: string, value: string, most: number): RawBuilder<boolean>;
  /** Whether the JSON text in `column` has `value` at `path`: equal as text, or among a list's items. */
  jsonHas(column: string, path: readonly string[], value: string): RawBuilder<boolean>;
  /** Whether the JSON text in `column` has anything at `path`, null included. */
  jsonKnows(column: string, path: readonly string[]): RawBuilder<boolean>;
}
