import { type IDBPDatabase, openDB } from 'idb';
import { faultOf, type StoreFault } from './fault.ts';
import { createIndexedTable, PUT_AT } from './indexed-table.ts';
import { createMemoryTable } from './memory-table.ts';
import { type BrowserStore, type StoreStatus, TABLES, type TableName } from './tables.ts';

export interface StoreOptions {
  /** The name of the database; two installations on one address must not share one. */
  name: string;
  now(): number;
  /** The time for which another tab may block the store before this one goes on without it. */
  patienceMs: number;
}

const VERSION = 1;
/** A browser on a busy machine may take seconds, and what is typed without the store would not survive the page. */
const LONGEST_OPENING_MS = 30_000;

/** Opens the browser's store; in memory where that fails, which its status then says. Never rejects. */
export async function openStore(options: StoreOptions): Promise<BrowserStore> {
  const listeners = new Set<() => void>();
  let status: StoreStatus = { kind: 'indexeddb', fault: null };
  const setStatus = (next: StoreStatus): void => {
    if (next.kind === status.kind && next.fault?.kind === status.fault?.kind) return;
    status = next;
    for (const listener of listeners) listener();
  };
  const report = (fault: StoreFault | null): void => setStatus({ ...status, fault });
  const opened = await openDatabase(options, report);
  const database = 'kind' in opened ? undefined : opened;
  if ('kind' in opened) setStatus({ kind: 'memory', fault: opened });
  else report(null);
  // What users typed and nobody else has is in the drafts alone.
  const reportOf = (name: TableName) => (name === 'drafts' ? report : () => undefined);
  const { now } = options;
  const tables = Object.fromEntries(
    TABLES.map((name) => [
      name,
      database ? createIndexedTable({ database, name, now, report: reportOf(name) }) : createMemoryTable(),
    ]),
  ) as Record<TableName, ReturnType<typeof createMemoryTable>>;
  return {
    table: (name) => tables[name],
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => status,
    close: () => database?.close(),
  };
}

async function openDatabase(
  { name, patienceMs }: StoreOptions,
  report: (fault: StoreFault) => void,
): Promise<IDBPDatabase | StoreFault> {
  if (!('indexedDB' in globalThis)) return { kind: 'missing' };
  const { promise: tooLong, resolve: giveUp } = Promise.withResolvers<StoreFault>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitFor = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => giveUp({ kind: 'blocked' }), ms);
  };
  waitFor(LONGEST_OPENING_MS);
  const opening = openDB(name, VERSION, {
    upgrade: createTables,
    blocked() {
      report({ kind: 'blocked' });
      waitFor(patienceMs);
    },
    blocking(_current, _next, event) {
      (event.target as IDBDatabase).close();
      report({ kind: 'outdated' });
    },
    terminated: () => report({ kind: 'broken', message: 'the browser has closed its store' }),
  });
  const opened = opening.catch(faultOf);
  const result = await Promise.race([opened, tooLong]);
  clearTimeout(timer);
  // One that opens after all must not keep later pages from opening.
  if ('kind' in result) void opened.then((late) => 'close' in late && late.close());
  return result;
}

function createTables(database: IDBPDatabase): void {
  for (const name of TABLES) database.createObjectStore(name).createIndex(PUT_AT, PUT_AT);
}
