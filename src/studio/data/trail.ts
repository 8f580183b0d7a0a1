import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Trail, type Trails, trailAt, trailsIn, trailsPatch } from '../domain/trail.ts';
import { api } from './api.ts';
import { cache } from './cache.ts';

const PREFERENCE = 'studio_trails';
const KEY = ['trails'];
/** Looking around for less is not written down. */
const LOOK_MS = 5 * 60_000;

const useTrails = () =>
  useQuery({
    queryKey: KEY,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Trails> => {
      const { [PREFERENCE]: kept } = await api.getPreferences({ signal });
      return trailsIn(kept);
    },
  });

/** The user's trail through a world; undefined until it is known. */
export const useTrail = (project: string): Trail | undefined => useTrails().data?.[project];

/** Keeps, with the account, that the user is in a world and which entity is open. */
export function useTrailKeeping(project: string, entity: string | null): void {
  const { isSuccess } = useTrails();
  useEffect(() => {
    if (isSuccess) keep(project, entity);
  }, [isSuccess, project, entity]);
}

function keep(project: string, entity: string | null): void {
  const trails = cache.getQueryData<Trails>(KEY) ?? {};
  const known = trails[project];
  const now = Date.now();
  if (known && entity === null && now - known.seen < LOOK_MS) return;
  const trail = trailAt(now, known, entity);
  cache.setQueryData<Trails>(KEY, { ...trails, [project]: trail });
  // Failing to keep it costs the user a search.
  api
    .updatePreferences({ body: { [PREFERENCE]: trailsPatch(trails, project, trail) } })
    .catch(() => undefined);
}
