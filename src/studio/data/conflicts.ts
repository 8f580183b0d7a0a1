import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { type Api, apiOf } from './api.ts';
import { keys, markWorld } from './cache.ts';

type Page = Awaited<ReturnType<Api['listConflicts']>>;
export type Conflict = Page['conflicts'][number];

const PAGE = 50;

const ask = (project: string, offset: number, signal: AbortSignal): Promise<Page> =>
  apiOf(project).listConflicts({ query: { limit: PAGE, offset }, signal });

/** A page of long texts ends before its limit. */
function offsetAfter({ offset, conflicts, total }: Page): number | undefined {
  const next = offset + conflicts.length;
  return conflicts.length > 0 && next < total ? next : undefined;
}

/** The open conflicts of a world, the newest first. */
export const useConflicts = (project: string) =>
  useInfiniteQuery({
    queryKey: [...keys.conflicts(project), 'list'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => ask(project, pageParam, signal),
    getNextPageParam: offsetAfter,
    select: ({ pages }) => pages.flatMap(({ conflicts }) => conflicts),
  });

/** Null: it is no open conflict, or none any more. */
export const useConflict = (project: string, id: string) =>
  useQuery({
    queryKey: [...keys.conflicts(project), 'one', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Conflict | null> => {
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const page: Page = await ask(project, offset, signal);
        const found = page.conflicts.find(({ conflict_id }) => conflict_id === id);
        if (found) return found;
        offset = offsetAfter(page);
      }
      return null;
    },
  });

export interface Settled {
  fields: Record<string, unknown>;
  /** Undefined where the texts do not overlap. */
  markdown_body: string | undefined;
}

export type Resolve = ReturnType<typeof useResolve>;

export const useResolve = (project: string, id: string) =>
  useMutation({
    mutationFn: ({ fields, markdown_body }: Settled) =>
      apiOf(project).resolveConflict({
        params: { conflict_id: id },
        body: { resolution: 'merged', fields, ...(markdown_body !== undefined && { markdown_body }) },
      }),
    // Not waited for: as soon as it is loaded again, the conflict is gone from the page.
    onSuccess: () => {
      void markWorld(project);
    },
  });
