import { useQuery } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { cache, keys } from './cache.ts';

/** Sets of types to begin a world with. */
export const useStarterPacks = (project: string) =>
  useQuery({
    queryKey: keys.starterPacks(project),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await apiOf(project).starterPacks({ signal })).packs,
  });

/** Adds the types of a pack, or all that Canonry brings along, to a world that lacks them. */
export async function addTypes(project: string, packId: string | null): Promise<void> {
  await apiOf(project).addShippedTemplates({ body: packId === null ? {} : { pack_id: packId } });
  await cache.invalidateQueries({ queryKey: keys.types(project) });
}
