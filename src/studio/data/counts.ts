import { useQuery } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { keys } from './cache.ts';
import { useCanonReport } from './world-health.ts';

/** The number of open contradictions, by the last check. */
export const useFindingCount = (project: string): number => useCanonReport(project).data?.open ?? 0;

export function useConflictCount(project: string): number {
  const { data } = useQuery({
    queryKey: [...keys.conflicts(project), 'count'],
    queryFn: async ({ signal }) =>
      (await apiOf(project).listConflicts({ query: { limit: 1 }, signal })).total,
  });
  return data ?? 0;
}
