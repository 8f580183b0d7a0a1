import { useQuery } from '@tanstack/react-query';
import { type Api, api } from './api.ts';

export type Person = Awaited<ReturnType<Api['listPeople']>>['items'][number];

const FIVE_MINUTES = 5 * 60_000;

/** The members of the team by id. */
export function usePeople(): ReadonlyMap<string, Person> {
  const { data } = useQuery({
    queryKey: ['people'],
    staleTime: FIVE_MINUTES,
    queryFn: async ({ signal }) => {
      const { items } = await api.listPeople({ signal });
      return new Map(items.map((person) => [person.id, person]));
    },
  });
  return data ?? NOBODY;
}

const NOBODY: ReadonlyMap<string, Person> = new Map();

/** Null for nobody, and for somebody who is not known. */
export function usePersonName(id: string | null): string | null {
  const people = usePeople();
  return id === null ? null : (people.get(id)?.display_name ?? null);
}
