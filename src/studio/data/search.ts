import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Api, apiOf } from './api.ts';
import { keys } from './cache.ts';

type Reply = Awaited<ReturnType<Api['searchAll']>>;
export type Match = NonNullable<Reply['items']>[number];

export interface Found {
  /** Of all that fits; fewer may be listed. */
  total: number;
  /** Names first. */
  matches: readonly Match[];
}

const MOST = 200;

/** The places of words in a world; the last result stays until the next one is there. */
export const useSearch = (project: string, text: string) =>
  useQuery({
    queryKey: keys.search(project, text),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Found> => {
      const { total, items = [] } = await apiOf(project).searchAll({
        query: { q: text, view: 'brief', limit: MOST },
        signal,
      });
      return { total, matches: items };
    },
  });
