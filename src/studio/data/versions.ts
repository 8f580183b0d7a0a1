import { useMutation, useQuery } from '@tanstack/react-query';
import type { VersionRange } from '../domain/places.ts';
import { type Api, apiOf } from './api.ts';
import { keys, markWorld } from './cache.ts';
import type { EntityAddress } from './entity.ts';

export type VersionDifference = Awaited<ReturnType<Api['diffRevision']>>;

export const useVersionDifference = ({ project, type, id }: EntityAddress, { from, to }: VersionRange) =>
  useQuery({
    queryKey: [...keys.revisions(project, type, id), 'difference', from, to],
    queryFn: ({ signal }) =>
      apiOf(project).diffRevision({
        params: { type, id, version: from },
        query: { against: to },
        signal,
      }),
  });

/** Makes an old version the newest one. */
export const useRestore = ({ project, type, id }: EntityAddress) =>
  useMutation({
    mutationFn: (version: number) => apiOf(project).restoreRevision({ params: { type, id, version } }),
    onSuccess: () => markWorld(project),
  });
