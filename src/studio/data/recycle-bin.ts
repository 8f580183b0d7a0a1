import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Api, apiOf } from './api.ts';
import { cache, keys, markWorld } from './cache.ts';

export type RecycledItem = Awaited<ReturnType<Api['listRecycleBin']>>['items'][number];

export interface Recycled {
  /** Undefined until the service said it. */
  total: number | undefined;
  /** The items read so far, the last deleted first. */
  items: readonly RecycledItem[];
  isComplete: boolean;
  readMore(): void;
  error: Error | null;
}

const PAGE = 200;

/** The recycle bin of a world. A search needs all of it, so `needsAll` reads every page. */
export function useRecycled(project: string, needsAll: boolean): Recycled {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: keys.recycled(project),
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      apiOf(project).listRecycleBin({ query: { limit: PAGE, offset: pageParam }, signal }),
    getNextPageParam: ({ offset, items, total }) => {
      const next = offset + items.length;
      return items.length > 0 && next < total ? next : undefined;
    },
  });
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetching) void fetchNextPage();
  }, [needsAll, hasNextPage, isFetching, fetchNextPage]);
  return {
    total: data?.pages.at(-1)?.total,
    items: data?.pages.flatMap(({ items }) => items) ?? [],
    isComplete: data !== undefined && !hasNextPage,
    readMore: () => void fetchNextPage(),
    error,
  };
}

const params = (item: RecycledItem) => ({ params: { item_id: item.item_id } });

/** Its lists, counts and references are asked for again. */
export async function restoreRecycled(project: string, item: RecycledItem): Promise<void> {
  await apiOf(project).restoreRecycleItem(params(item));
  await markWorld(project);
}

export async function purgeRecycled(project: string, item: RecycledItem): Promise<void> {
  await apiOf(project).purgeRecycleItem(params(item));
  await cache.invalidateQueries({ queryKey: keys.recycled(project) });
}

export async function emptyBin(project: string): Promise<void> {
  await apiOf(project).emptyRecycleBin();
  await cache.invalidateQueries({ queryKey: keys.recycled(project) });
}
