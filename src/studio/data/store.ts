import { useSyncExternalStore } from 'react';

/** A value that changes, for components and for everything else. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStore = <T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T =>
  useSyncExternalStore(store.subscribe, store.get);

/** The first value that fits, from now on. */
export function whenStore<T, Fit extends T>(
  store: Pick<Store<T>, 'get' | 'subscribe'>,
  fits: (value: T) => value is Fit,
): Promise<Fit> {
  return new Promise((resolve) => {
    const look = () => {
      const value = store.get();
      if (!fits(value)) return;
      stop();
      resolve(value);
    };
    const stop = store.subscribe(look);
    look();
  });
}
