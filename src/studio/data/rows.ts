import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { apiQueryOf, type ListQuery } from '../domain/list-query.ts';
import { type Api, apiOf } from './api.ts';
import { keys } from './cache.ts';

type Page = Awaited<ReturnType<Api['listEntities']>>;

/** An entity with the values of the columns that were asked for. */
export type Row = NonNullable<Page['rows']>[number];

export interface Rows {
  /** Undefined until the service said it. */
  total: number | undefined;
  /** Undefined while the row is on its way. */
  at(index: number): Row | undefined;
  error: Error | null;
}

const PAGE = 200;
/** The list begins with this page, before anything is known to be in view. */
const FIRST = { first: 0, last: PAGE - 1 };

export interface RowsAsked {
  project: string;
  type: string;
  query: ListQuery;
  /** Dotted paths of the fields that are shown. */
  columns: readonly string[];
}

/** The rows of a list around what is in view, page by page: a list may have 100,000. */
export function useRows({ project, type, query, columns }: RowsAsked, view = FIRST): Rows {
  const asked = { ...apiQueryOf(query), columns: columns.join(',') };
  const pages = pagesIn(view);
  return useQueries({
    queries: pages.map((page) => ({
      queryKey: [...keys.lists(project, type), asked, page],
      placeholderData: keepPreviousData,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        apiOf(project).listEntities({
          params: { type },
          query: { ...asked, limit: PAGE, offset: page * PAGE },
          signal,
        }),
    })),
    combine: (results) => ({
      total: results.find(({ data }) => data !== undefined)?.data?.total,
      error: results.find(({ error }) => error !== null)?.error ?? null,
      at: (index) => rowIn(results[pages.indexOf(Math.floor(index / PAGE))]?.data, index),
    }),
  });
}

/** A page that stands in for another while that one is on its way has other rows. */
const rowIn = (page: Page | undefined, index: number): Row | undefined => page?.rows?.[index - page.offset];

function pagesIn({ first, last }: { first: number; last: number }): number[] {
  const from = Math.floor(Math.max(first, 0) / PAGE);
  const to = Math.floor(Math.max(last, 0) / PAGE);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
