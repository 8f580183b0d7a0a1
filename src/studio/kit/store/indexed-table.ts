import type { IDBPDatabase, IDBPObjectStore } from 'idb';
import { faultOf, type StoreFault } from './fault.ts';
import type { Key, Table, TableName } from './tables.ts';

/** Index by the time of writing. */
export const PUT_AT = 'put_at';

interface Row {
  value: object;
  put_at: number;
}

/** IndexedDB loses no acknowledged write of a page that is killed, also relaxed, and relaxed is quicker. */
const WRITING = { durability: 'relaxed' } as const;

export interface TableOptions {
  database: IDBPDatabase;
  name: TableName;
  now(): number;
  report(fault: StoreFault | null): void;
}

export function createIndexedTable({ database, name, now, report }: TableOptions): Table {
  async function reading<Result>(read: () => Promise<Result>, without: Result): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      report(faultOf(error));
      return without;
    }
  }

  async function written(write: (rows: Writable) => Promise<unknown>): Promise<StoreFault | null> {
    try {
      const transaction = database.transaction(name, 'readwrite', WRITING);
      // A failed request rejects twice, and the transaction's own error says why.
      const [done, request] = await Promise.allSettled([transaction.done, write(transaction.store)]);
      const failed = [request, done].find((result) => result.status === 'rejected');
      return failed?.status === 'rejected' ? faultOf(failed.reason) : null;
    } catch (error) {
      return faultOf(error);
    }
  }

  return {
    get: <Value>(key: Key) =>
      reading(async () => {
        const row: Row | undefined = await database.get(name, [...key]);
        return row?.value as Value | undefined;
      }, undefined),
    list: <Value>(prefix: Key) =>
      reading(async () => {
        const rows: Row[] = await database.getAll(name, within(prefix));
        return rows.map(({ value }) => value as Value);
      }, []),
    async put(key, value) {
      const fault = await written((rows) => rows.put({ value, put_at: now() } satisfies Row, [...key]));
      report(fault);
      return fault;
    },
    remove: (key) => written((rows) => rows.delete([...key])),
    keepNewest: (most) =>
      written(async (rows) => {
        let surplus = (await rows.count()) - most;
        let cursor = surplus > 0 ? await rows.index(PUT_AT).openCursor() : null;
        while (cursor && surplus > 0) {
          await cursor.delete();
          surplus -= 1;
          cursor = await cursor.continue();
        }
      }),
  };
}

type Writable = IDBPObjectStore<unknown, [TableName], TableName, 'readwrite'>;

/** A list sorts after every text, so it ends the range of keys with this beginning. */
const within = (prefix: Key): IDBKeyRange => IDBKeyRange.bound([...prefix], [...prefix, []]);
