import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Api, api } from './api.ts';

/** The kind of this installation, and the ways to sign in. */
export type StudioConfig = Awaited<ReturnType<Api['getStudioConfig']>>;

export const studioConfigQuery = queryOptions({
  queryKey: ['studio-config'],
  queryFn: ({ signal }) => api.getStudioConfig({ signal }),
});

export const useStudioConfig = () => useQuery(studioConfigQuery);
