import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { LogFilter } from '../../domain/plugins/log-lines.ts';
import { pluginApiOf } from './plugin-api.ts';

const PAGE = 20;

// The keys of both are not marked with the world, for the reason that those of settings have.

/** What a plugin's code said and did, the newest first, page after page. */
export const usePluginLog = (project: string, id: string, filter: LogFilter) =>
  useInfiniteQuery({
    queryKey: ['plugin log', project, id, filter],
    staleTime: 0,
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) =>
      pluginApiOf(project).getPluginLog({
        params: { id },
        query: { limit: PAGE, ...filter, ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ lines }) => (lines.length < PAGE ? null : (lines.at(-1)?.seq ?? null)),
  });

/** How often its code ran, and how much room it takes. */
export const usePluginUsage = (project: string, id: string) =>
  useQuery({
    queryKey: ['plugin usage', project, id],
    staleTime: 0,
    queryFn: ({ signal }) => pluginApiOf(project).getPluginUsage({ params: { id }, signal }),
  });
