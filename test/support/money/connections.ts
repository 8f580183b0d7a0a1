import { sql } from 'kysely';
import { openPostgres } from '../../../src/platform/database/adapters/postgres-database.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { createLocks } from '../../../src/platform/database/locks.ts';
import type { OpenedDatabase } from '../databases.ts';
import type { SharedLocks } from './mortal-database.ts';

export interface Connection {
  database: Database;
  locks: SharedLocks;
  /** Ends it as the death of its process does, without waiting for anything. What is undone by then may be `usable` again. */
  cut(): Promise<'gone' | 'usable'>;
}

/** A file knows only the locks of its own connection, so those of a history are kept here. */
function fileLocks(): SharedLocks {
  const locks = createLocks();
  return {
    exclusive: (key, work) => locks.run(key, work),
    ifFree: (key, work, otherwise) => (locks.isHeld(key) ? otherwise() : locks.run(key, work)),
  };
}

/** Connections for processes; those that nobody cut are used again by the next history. */
export function createConnections(opened: OpenedDatabase) {
  const isFile = opened.url.startsWith('sqlite:');
  const shared = fileLocks();
  const spare: Connection[] = [];
  const closing: Promise<unknown>[] = [];
  const admin = opened.database.system;
  let count = 0;

  function fileConnection(): Connection {
    const database = opened.again();
    return { database, locks: shared, cut: async () => 'usable' };
  }

  function serverConnection(): Connection {
    count += 1;
    const name = `money-${process.pid}-${count}`;
    const database = openPostgres(`${opened.url}?application_name=${name}`);
    return {
      database,
      locks: database.system,
      async cut() {
        await admin.read((db) =>
          sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`.execute(
            db,
          ),
        );
        closing.push(database.close().catch(() => {}));
        return 'gone';
      },
    };
  }

  return {
    take: (): Connection => spare.pop() ?? (isFile ? fileConnection() : serverConnection()),
    giveBack: (connection: Connection): void => void spare.push(connection),
    async close(): Promise<void> {
      await Promise.all(closing);
      // Those to a file are closed with it.
      if (!isFile) await Promise.all(spare.splice(0).map(({ database }) => database.close()));
    },
  };
}

export type Connections = ReturnType<typeof createConnections>;
