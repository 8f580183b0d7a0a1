import type { ListQuery } from '../domain/list-query.ts';
import { createStore, useStore } from './store.ts';

/** The row of a list at which the user is, or from which they opened an entity. */
export interface ListPosition {
  project: string;
  type: string;
  query: ListQuery;
  index: number;
}

const position = createStore<ListPosition | null>(null);

export const rememberPosition = (next: ListPosition): void => position.set(next);

/** Null until the user was in a list. */
export const useListPosition = (): ListPosition | null => useStore(position);
