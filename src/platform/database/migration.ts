import type { Kysely } from 'kysely';
import type { Dialect } from './dialect.ts';

/** For tables without a column `tenant_id`. The SQL is for PostgreSQL, which has the policies. */
export interface RowOwner {
  /** Tables with this column belong to tenants. */
  column: string;
  /** A query with one column, a tenant's keys; `tenant` stands for its id. */
  keys: string;
  /** A condition: a row has one of `keys`, an expression of type `bigint[]`. */
  isOf(keys: string): string;
}

/** Migrations run once, in the order of their modules, each in a transaction. */
export interface Migration {
  /** Unique and never changed, such as `entities-1`. */
  name: string;
  up(schema: Kysely<unknown>, dialect: Dialect): Promise<void>;
  /** Applies to all tables, whichever migration creates them. */
  rowOwner?: RowOwner;
}
