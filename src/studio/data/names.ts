import type { NamedEntity } from '../domain/named-entity.ts';
import type { NameInText } from '../domain/names-in-text.ts';
import { type NameMatch, type NameQuery, NamesIndex, type NamesReply } from '../domain/names-index.ts';
import type { BrowserStore } from '../kit/store/tables.ts';
import type { Timers } from './drafts/entity-api.ts';

export interface NamesOptions {
  store: Pick<BrowserStore, 'table'>;
  /** Without a cursor all names, with one what changed since. */
  read(cursor: string | undefined): Promise<NamesReply>;
  timers: Timers;
  account: string;
  project: string;
}

export interface NamesStatus {
  /** False until names are there, from the browser's store or the service. */
  isReady: boolean;
  count: number;
  /** The last reading failed; names may be old. */
  isStale: boolean;
  /** Grows with each change, so that pages search again. */
  revision: number;
}

/** Keeping 100,000 names takes the store a while, so it is not done at each change. */
const KEPT_AFTER_MS = 5_000;
/** No event tells that names can be read again. */
const RETRIED_AFTER_MS = 15_000;

/** The names of a project: at hand at once from the browser's store, then brought up to date by cursor. */
export function createNames({ store, read, timers, account, project }: NamesOptions) {
  const key = [account, project];
  const [names, meta] = [store.table('names'), store.table('meta')];
  const recentKey = [account, project, 'recent'];
  const listeners = new Set<() => void>();
  let index = new NamesIndex();
  let cursor: string | undefined;
  let status: NamesStatus = { isReady: false, count: 0, isStale: false, revision: 0 };
  let reading: Promise<void> | undefined;
  let isAskedAgain = false;
  let isStopped = false;
  let cancelKeeping: (() => void) | undefined;
  let cancelRetry: (() => void) | undefined;

  function show(change: Partial<NamesStatus>): void {
    status = { ...status, count: index.size, revision: status.revision + 1, ...change };
    for (const listener of listeners) listener();
  }

  function keepSoon(): void {
    cancelKeeping ??= timers.after(KEPT_AFTER_MS, () => {
      cancelKeeping = undefined;
      if (cursor !== undefined) void names.put(key, index.all(cursor));
    });
  }

  function retrySoon(): void {
    cancelRetry ??= timers.after(RETRIED_AFTER_MS, () => void update());
  }

  async function readOnce(): Promise<void> {
    cancelRetry?.();
    cancelRetry = undefined;
    try {
      const reply = await read(cursor);
      cursor = reply.cursor;
      const isNews = reply.full || reply.id.length > 0 || reply.gone.length > 0;
      index.apply(reply);
      if (isNews) keepSoon();
      if (isNews || !status.isReady || status.isStale) show({ isReady: true, isStale: false });
    } catch {
      show({ isStale: true });
      if (!isStopped) retrySoon();
    }
  }

  async function readAll(): Promise<void> {
    do {
      isAskedAgain = false;
      await readOnce();
    } while (isAskedAgain);
    reading = undefined;
  }

  /** Reads what changed; calls during a reading are one reading after it. */
  function update(): Promise<void> {
    isAskedAgain = reading !== undefined;
    reading ??= readAll();
    return reading;
  }

  return {
    async start(): Promise<void> {
      const kept = await names.get<NamesReply>(key);
      const recent = await meta.get<{ keys: string[] }>(recentKey);
      index = new NamesIndex(recent?.keys);
      if (kept) {
        index.apply(kept);
        cursor = kept.cursor;
        show({ isReady: true });
      }
      await update();
    },
    update,
    search: (text: string, query: NameQuery): NameMatch[] => index.search(text, query),
    counts: (): ReadonlyMap<string, number> => index.counts(),
    findIn: (text: string): NameInText[] => index.findIn(text),
    find: (type: string | undefined, id: string): NamedEntity | undefined => index.find(type, id),
    touch(type: string, id: string): void {
      void meta.put(recentKey, { keys: index.touch(type, id) });
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: (): NamesStatus => status,
    stop(): void {
      isStopped = true;
      cancelKeeping?.();
      cancelRetry?.();
    },
  };
}
