import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Plugin } from '../../domain/plugins/plugin-list.ts';
import { apiOf } from '../api.ts';
import { cache, keys } from '../cache.ts';
import { createStore } from '../store.ts';
import type { PluginParts } from './parts.ts';

/** An event tells of a change; one that came while the page was away is found then. */
const ASKED_AGAIN_MS = 5 * 60_000;

/** The plugins of a world. */
const pluginsQuery = (project: string) =>
  queryOptions({
    queryKey: keys.plugins(project),
    staleTime: ASKED_AGAIN_MS,
    queryFn: async ({ signal }) => (await apiOf(project).listPlugins({ signal })).plugins,
  });

export const usePlugins = (project: string) => useQuery(pluginsQuery(project));

const NONE: readonly Plugin[] = [];

/** Those that are shown and run. */
export function useEnabledPlugins(project: string): readonly Plugin[] {
  const { data } = usePlugins(project);
  return useMemo(() => data?.filter(({ state }) => state === 'enabled') ?? NONE, [data]);
}

const isGuest = ({ state, has_guest }: Plugin): boolean => state === 'enabled' && has_guest;

/** True if a plugin that runs in the service may find something. */
export const useHasGuests = (project: string): boolean => usePlugins(project).data?.some(isGuest) ?? false;

export const hasGuests = async (project: string): Promise<boolean> =>
  (await cache.ensureQueryData(pluginsQuery(project))).some(isGuest);

/** Null while no plugin is enabled, or the code for those that are is on its way. */
export const pluginParts = createStore<PluginParts | null>(null);
