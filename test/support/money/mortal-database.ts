import type { Kysely } from 'kysely';
import type { Database, TenantDatabase } from '../../../src/platform/database/database.ts';

/** Thrown at everybody who asks a process that is dead. */
export class Killed extends Error {
  constructor() {
    super('the process was killed');
    this.name = 'Killed';
  }
}

/** `before`: nothing of its last write is stored. `after`: that write is stored, and nobody learns of it. */
export interface Death {
  /** It dies at the first write after this many. */
  after: number;
  how: 'before' | 'after';
}

/** The life of one process. */
export function createLife() {
  let left = Number.POSITIVE_INFINITY;
  let how: Death['how'] = 'before';
  let isDead = false;
  function requireLife(): void {
    if (isDead) throw new Killed();
  }
  return {
    requireLife,
    isDead: (): boolean => isDead,
    kill(): void {
      isDead = true;
    },
    /** Dies later, in the middle of what it does then. */
    doom(death: Death): void {
      left = death.after;
      how = death.how;
    },
    /** True if the write that begins now is its last one. */
    isLast(): boolean {
      left -= 1;
      return left < 0;
    },
    die(when: Death['how']): void {
      if (when !== how) return;
      isDead = true;
      throw new Killed();
    },
  };
}

export type Life = ReturnType<typeof createLife>;

/** Locks that the processes of a history share; the connections of a file know only their own. */
export type SharedLocks = Pick<TenantDatabase, 'exclusive' | 'ifFree'>;

/** A connection that can die: from then on it answers nobody, and what it had not committed is undone. */
export function mortalDatabase(database: Database, life: Life, locks: SharedLocks): Database {
  const { system } = database;
  const mortal: TenantDatabase = {
    ...system,
    async read(work) {
      life.requireLife();
      const result = await system.read(work);
      life.requireLife();
      return result;
    },
    async write<Tables, Result>(
      work: (db: Kysely<Tables>) => Promise<Result>,
      options?: { durable?: boolean },
    ): Promise<Result> {
      life.requireLife();
      const isLast = life.isLast();
      const result = await system.write<Tables, Result>(async (db) => {
        life.requireLife();
        const done = await work(db);
        life.requireLife();
        if (isLast) life.die('before');
        return done;
      }, options);
      if (isLast) life.die('after');
      life.requireLife();
      return result;
    },
    exclusive: (key, work) =>
      locks.exclusive(key, () => {
        life.requireLife();
        return work();
      }),
    ifFree: (key, work, otherwise) => locks.ifFree(key, work, otherwise),
  };
  return { ...database, system: mortal };
}
