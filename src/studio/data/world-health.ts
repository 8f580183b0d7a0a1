import { useQuery } from '@tanstack/react-query';
import { type Api, apiOf } from './api.ts';
import { cache, keys } from './cache.ts';

export type CanonReport = Awaited<ReturnType<Api['canonFindings']>>;
export type Finding = CanonReport['findings'][number];

const SHOWN = 5;
const ASK_AGAIN_MS = 2_000;

/** The report of the last check of the canon, with its worst findings. A running check is polled until it ends. */
export const useCanonReport = (project: string) =>
  useQuery<CanonReport>({
    queryKey: [...keys.findings(project), 'worst'],
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? ASK_AGAIN_MS : false),
    queryFn: ({ signal }) => apiOf(project).canonFindings({ query: { limit: SHOWN }, signal }),
  });

/** Looks for contradictions now. A long check goes on in the background. */
export async function checkCanon(project: string): Promise<void> {
  await apiOf(project).checkCanon({ body: { limit: 1 } });
  await cache.invalidateQueries({ queryKey: keys.findings(project) });
}

const MOST_COUNTED = 50;

export interface BrokenCount {
  count: number;
  isMore: boolean;
}

/** The number of references that lead nowhere; undefined until it is known. */
export function useBrokenCount(project: string): BrokenCount | undefined {
  const { data } = useQuery({
    queryKey: [...keys.broken(project), 'count'],
    queryFn: async ({ signal }) => {
      const found = await apiOf(project).listBrokenReferences({ query: { limit: MOST_COUNTED }, signal });
      return { count: found.references.length, isMore: found.next_cursor !== null };
    },
  });
  return data;
}
