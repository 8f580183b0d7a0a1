import type { StoreFault } from './fault.ts';

export type Key = readonly string[];

/** The tables of the browser's store; their keys begin with the account, so that accounts do not meet. */
export const TABLES = ['drafts', 'discarded', 'entities', 'names', 'preferences', 'meta'] as const;
export type TableName = (typeof TABLES)[number];

/** Reading yields nothing where the store fails; writing yields the fault, and null when it is done. */
export interface Table {
  get<Value>(key: Key): Promise<Value | undefined>;
  /** The values whose keys begin with the prefix, in the order of keys. */
  list<Value>(prefix: Key): Promise<Value[]>;
  put(key: Key, value: object): Promise<StoreFault | null>;
  remove(key: Key): Promise<StoreFault | null>;
  /** Removes what was put first, until at most so many are left. */
  keepNewest(most: number): Promise<StoreFault | null>;
}

export interface StoreStatus {
  /** `memory`: what is written is gone with the tab. */
  kind: 'indexeddb' | 'memory';
  /** Of opening, or of a draft that was not put down; null once one is. Writes of other tables tell their own failures. */
  fault: StoreFault | null;
}

export interface BrowserStore {
  table(name: TableName): Table;
  subscribe(listener: () => void): () => void;
  getSnapshot(): StoreStatus;
  close(): void;
}
