import type { Route } from '../kit/route.ts';
import type { Migration } from '../platform/database/migration.ts';

/** A capability as a surface mounts it. */
export interface Module {
  name: string;
  routes: readonly Route[];
  migrations?: readonly Migration[];
  /** Runs after migrations, before requests are served. */
  start?(): Promise<void>;
  /** Runs once requests have stopped, in the reverse order of start. */
  stop?(): Promise<void>;
}
