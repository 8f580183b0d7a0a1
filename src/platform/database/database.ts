import type { Kysely } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

/** Access to the rows of one tenant. Queries must name the tenant in their `where` all the same. */
export interface TenantDatabase {
  readonly tenantId: string;
  readonly dialect: Dialect;
  /** On committed data. */
  read<Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Runs writes in a transaction and resolves after its durable commit. Concurrent writers share one commit; a writer
   * that fails undoes only its own changes. `work` must await nothing but its queries and short pauses, since others wait
   * for the same transaction, and it may run more than once. Without `durable` the commit does not wait for the disk: a
   * power cut may undo it as a whole, a crash of the process cannot.
   */
  write<Tables, Result>(
    work: (db: Kysely<Tables>) => Promise<Result>,
    options?: { durable?: boolean },
  ): Promise<Result>;
  /** Exclusive among all processes that share the database. */
  exclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** If the key is taken, runs `otherwise` without it. */
  ifFree<Result>(key: string, work: () => Promise<Result>, otherwise: () => Promise<Result>): Promise<Result>;
  /** With those of the keys that are free. It never waits, so it cannot deadlock, however many keys there are. */
  withFree<Result>(
    keys: readonly string[],
    work: (taken: ReadonlySet<string>) => Promise<Result>,
  ): Promise<Result>;
  /** In any process. */
  isHeld(key: string): Promise<boolean>;
}

export interface MigrationReport {
  applied: string[];
  /** Made before the first change, if there was one. */
  backup: string | null;
}

export interface Database {
  readonly dialect: Dialect;
  tenant(tenantId: string): TenantDatabase;
  /** The installation's own: accounts, sessions, settings. */
  readonly system: TenantDatabase;
  migrate(migrations: readonly Migration[]): Promise<MigrationReport>;
  pending(migrations: readonly Migration[]): Promise<string[]>;
  /** Rejects unless the database answers within two seconds. */
  probe(): Promise<void>;
  /** Empty if there are none. PostgreSQL checks itself. */
  integrity(): Promise<string[]>;
  close(): Promise<void>;
}

export class DatabaseError extends Error {
  /** `in_doubt`: the change may be stored or not; with all other codes nothing was changed. */
  readonly code: 'unavailable' | 'no_space' | 'read_only' | 'in_doubt';
  constructor(code: DatabaseError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseError';
    this.code = code;
  }
}
