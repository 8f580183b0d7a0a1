import type { Kysely } from 'kysely';
import type { Dialect } from './dialect.ts';

/** One step of the schema. Steps run once, in the order of the modules that bring them, each in a transaction. */
export interface Migration {
  /** Unique for ever, such as `entities-1`. */
  name: string;
  up(schema: Kysely<unknown>, dialect: Dialect): Promise<void>;
}
