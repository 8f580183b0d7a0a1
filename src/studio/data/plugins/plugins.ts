import { queryOptions, useQuery } from '@tanstack/react-query';
import { type PanelLocation, panelsAt, type Surface } from '../../domain/plugins/plugin-list.ts';
import { apiOf } from '../api.ts';
import { keys } from '../cache.ts';

/** Nothing tells that an admin elsewhere has changed them. */
const ASKED_AGAIN_MS = 5 * 60_000;

/** The plugins of a world. */
export const pluginsQuery = (project: string) =>
  queryOptions({
    queryKey: keys.plugins(project),
    staleTime: ASKED_AGAIN_MS,
    queryFn: async ({ signal }) => (await apiOf(project).listPlugins({ signal })).plugins,
  });

export const usePlugins = (project: string) => useQuery(pluginsQuery(project));

const NONE: readonly Surface[] = [];

/** The panels at a place of the page of an entity; null until they are known. */
export function usePanels(project: string, location: PanelLocation, type: string): readonly Surface[] | null {
  const { data, error } = usePlugins(project);
  return data ? panelsAt(data, location, type) : error && NONE;
}
