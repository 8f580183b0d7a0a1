import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isEnabled, type PanelLocation, panelsAt, type Surface } from '../../domain/plugins/plugin-list.ts';
import { apiOf } from '../api.ts';
import { keys } from '../cache.ts';

/** An event tells of a change; one that came while the page was away is found then. */
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
  const panels = useMemo(() => data && panelsAt(data, location, type), [data, location, type]);
  return panels ?? (error && NONE);
}

/** The pages of enabled plugins, with the ids of these. */
export function usePluginPages(project: string) {
  const { data = [] } = usePlugins(project);
  return data
    .filter(isEnabled)
    .flatMap(({ id: plugin, pages }) => pages.map(({ id, title }) => ({ plugin, id, title })));
}
