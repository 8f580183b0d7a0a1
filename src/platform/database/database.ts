import type { Kysely } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

/** Rows of one tenant. Every query must still name the tenant in its `where`; the handle is how a query gets to run. */
export interface TenantDatabase {
  readonly tenantId: string;
  readonly dialect: Dialect;
  /** Runs reads on committed data. */
  read<Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Runs writes in a transaction and resolves after its durable commit. Writers that wait at the same time share
   * one commit; one that fails takes only its own changes back. `work` must await nothing but its queries and short
   * turns of the loop, since others wait for the same transaction, and it may run more than once. Without `durable` the commit does not wait
   * for the disk: a power cut may take it back whole, a crash of the process may not.
   */
  write<Tables, Result>(
    work: (db: Kysely<Tables>) => Promise<Result>,
    options?: { durable?: boolean },
  ): Promise<Result>;
  /** Runs `work` alone among all holders of the same key, in every process that shares the database. */
  exclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** The same, unless the key is held already: then `otherwise` runs in its place, without the key. */
  ifFree<Result>(key: string, work: () => Promise<Result>, otherwise: () => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` as the holder of those keys that nobody holds now, which it is told. It waits for none, so however many
   * there are, nobody ends up waiting in a circle.
   */
  withFree<Result>(
    keys: readonly string[],
    work: (taken: ReadonlySet<string>) => Promise<Result>,
  ): Promise<Result>;
  /** Whether somebody holds the key now, in any process. */
  isHeld(key: string): Promise<boolean>;
}

export interface MigrationReport {
  applied: string[];
  /** Path of the copy that was made before the first change, if one was. */
  backup: string | null;
}

export interface Database {
  readonly dialect: Dialect;
  tenant(tenantId: string): TenantDatabase;
  /** Rows that belong to the installation: accounts, sessions, settings. */
  readonly system: TenantDatabase;
  migrate(migrations: readonly Migration[]): Promise<MigrationReport>;
  /** Names of the given migrations that have not run yet. */
  pending(migrations: readonly Migration[]): Promise<string[]>;
  /** Resolves when the database answers within two seconds; otherwise throws. */
  probe(): Promise<void>;
  /** What is broken inside the database itself, as it says; empty when nothing is. PostgreSQL checks itself. */
  integrity(): Promise<string[]>;
  close(): Promise<void>;
}

export class DatabaseError extends Error {
  /** `in_doubt`: the change may be stored or not; in all other cases nothing was changed. */
  readonly code: 'unavailable' | 'no_space' | 'read_only' | 'in_doubt';
  constructor(code: DatabaseError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseError';
    this.code = code;
  }
}
