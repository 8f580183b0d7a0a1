import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Place } from '../domain/places.ts';
import { type Api, apiOf } from './api.ts';
import { cache, keys } from './cache.ts';
import { recallAndAsk } from './kept.ts';

/** A type of entities, as its template describes it. */
export interface EntityType {
  type: string;
  /** For one. */
  label: string;
  /** For many: the name of their folder. */
  plural: string;
  description: string;
  color: string | null;
}

type Reply = Awaited<ReturnType<Api['listEntityTypes']>>;

const typesOf = ({ entity_types }: Reply): EntityType[] =>
  entity_types.map((one) => ({
    type: one.entity_type,
    label: one.label,
    plural: one.folder_name.split('/').at(-1) ?? one.label,
    description: one.description,
    color: one.ui_color ?? null,
  }));

/** The types of a world in the order of their templates. */
export const useTypes = (project: string) =>
  useQuery({
    queryKey: keys.types(project),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => recallAndAsk(keys.types(project), () => apiOf(project).listEntityTypes()),
    select: typesOf,
  });

/** The JSON Schema of a type with its hints for forms. */
export const schemaQuery = (project: string, type: string) =>
  queryOptions({
    queryKey: keys.schema(project, type),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      recallAndAsk(keys.schema(project, type), () => apiOf(project).getSchema({ params: { type } })),
  });

export const useSchema = (project: string, type: string) => useQuery(schemaQuery(project, type));

/** Asks for the schema that the page of an address begins with, beside the types and before less urgent questions. */
export function askAhead(place: Place): void {
  if ('type' in place) void cache.prefetchQuery(schemaQuery(place.project, place.type));
}
