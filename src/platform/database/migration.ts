import type { Kysely } from 'kysely';
import type { Dialect } from './dialect.ts';

/** Tells whose a row is in tables that have no column `tenant_id`. SQL of PostgreSQL, where policies stand. */
export interface RowOwner {
  /** Tables with this column are a tenant's. */
  column: string;
  /** A query of one column, a tenant's keys; `tenant` stands for its id. */
  keys: string;
  /** Whether a row has one of `keys`, an expression of type `bigint[]`. */
  isOf(keys: string): string;
}

/** One step of the schema. Steps run once, in the order of the modules that bring them, each in a transaction. */
export interface Migration {
  /** Unique for ever, such as `entities-1`. */
  name: string;
  up(schema: Kysely<unknown>, dialect: Dialect): Promise<void>;
  /** Holds for all tables, whichever step makes them. */
  rowOwner?: RowOwner;
}
