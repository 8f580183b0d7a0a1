import type { Kysely, RawBuilder } from 'kysely';
import type { SearchPhrase } from '../../content/search-text.ts';

export type Executor = Pick<Kysely<unknown>, 'executeQuery'>;

/** Folded by `searchableText`, so that every database indexes the same words. */
export interface SearchText {
  name: string;
  fields: string;
  body: string;
}

export interface SearchRow extends SearchText {
  row_id: number;
  /** Keys that narrow a search: a row is found only under one of its scopes. */
  scopes: readonly string[];
  /** It cannot be in the index yet, which saves a look-up. */
  isNew: boolean;
}

export interface SearchQuery {
  scope: string;
  without?: readonly string[];
  phrases: readonly SearchPhrase[];
  /** Only what the name has counts. */
  inName?: boolean;
  limit: number;
  offset: number;
}

/** Best match first, name before fields before body. */
export interface FullText {
  createIndex(db: Executor): Promise<void>;
  /** Creates the buffer for rows that are indexed together, which was added later than the index. */
  createBuffer(db: Executor): Promise<void>;
  put(db: Executor, rows: readonly SearchRow[]): Promise<void>;
  remove(db: Executor, rowIds: readonly number[]): Promise<void>;
  /** Resolves when `ranked` and `matching` cover everything that was committed before the call; `find` does this itself. */
  caughtUp(): Promise<void>;
  /** Above `after`, in their order. */
  list(db: Executor, after: number, limit: number): Promise<number[]>;
  /** One page of matches, best first, and the total. */
  find(db: Executor, query: SearchQuery): Promise<{ rowIds: number[]; total: number }>;
  /** As a table to join, for queries with further conditions; a higher relevance is a better match. */
  ranked(scope: string, phrases: readonly SearchPhrase[]): RawBuilder<{ row_id: number; relevance: number }>;
  /** A subquery, for `row_id in (…)` with another order. */
  matching(scope: string, phrases: readonly SearchPhrase[]): RawBuilder<number>;
}

export interface UpsertOptions {
  conflict: readonly string[];
  /** With none, an existing row stays unchanged. */
  update: readonly string[];
}

/** The only differences between the two databases. Everything else is the same Kysely query. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** Column type of text that sorts by code point on both. */
  readonly text: RawBuilder<unknown>;
  readonly bigint: RawBuilder<unknown>;
  readonly double: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  readonly fullText: FullText;
  /** Locks a query's rows until the transaction ends. */
  readonly forUpdate: RawBuilder<unknown>;
  /** Skips rows that another transaction has locked. */
  readonly forUpdateSkipLocked: RawBuilder<unknown>;
  /** All rows have the columns of the first. As few round trips as the database allows. */
  upsert(db: Executor, table: string, rows: readonly object[], options: UpsertOptions): Promise<void>;
  /** To delete many rows in parts: the first `most` rows of `table` with `value` in `column`. */
  isAmongFirst(table: string, column: string, value: string, most: number): RawBuilder<boolean>;
  /** The JSON text in `column` has `value` at `path`, equal as text or as an item of a list. */
  jsonHas(column: string, path: readonly string[], value: string): RawBuilder<boolean>;
  /** The JSON text in `column` has anything at `path`, including null. */
  jsonKnows(column: string, path: readonly string[]): RawBuilder<boolean>;
  /** The JSON text of what the JSON text in `column` has at `path`; null if that is nothing. */
  jsonAt(column: string, path: readonly string[]): RawBuilder<string | null>;
}
