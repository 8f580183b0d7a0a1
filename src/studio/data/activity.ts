import { useInfiniteQuery } from '@tanstack/react-query';
import { type Api, apiOf } from './api.ts';
import { keys } from './cache.ts';

export type Change = Awaited<ReturnType<Api['listActivity']>>['items'][number];

export interface Activity {
  /** Newest first; undefined until the service said it. */
  changes: readonly Change[] | undefined;
  isComplete: boolean;
  readMore(): void;
  error: Error | null;
}

const PAGE = 50;

/** The latest changes in a world. */
export function useActivity(project: string): Activity {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: keys.activity(project),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      apiOf(project).listActivity({
        query: { limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return {
    changes: data?.pages.flatMap(({ items }) => items),
    isComplete: data !== undefined && !hasNextPage,
    readMore: () => void fetchNextPage(),
    error,
  };
}
