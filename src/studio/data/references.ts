import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Direction, openReferences, type Reference } from '../domain/reference-groups.ts';
import { apiOf } from './api.ts';
import { keys } from './cache.ts';
import { type EntityAddress, useEntityVersion } from './entity.ts';

const PAGE = 200;
/** The most that are listed; beyond them the user has to search. */
const MOST = 2_000;
/** Of the neighbours, those with the most references are shown. */
const NEIGHBOURS = 200;

export interface References {
  references: readonly Reference[];
  total: number;
}

export const useReferences = (entity: EntityAddress, direction: Direction) => {
  const { project, type, id } = entity;
  const version = useEntityVersion(entity);
  return useQuery({
    queryKey: [...keys.references(project, type, id), direction, version],
    enabled: version !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => loadReferences(entity, { direction }, signal),
  });
};

/** The references of an entity whose target is missing or ambiguous, with their lines. */
export const useOpenReferences = (entity: EntityAddress) => {
  const { project, type, id } = entity;
  const version = useEntityVersion(entity);
  return useQuery({
    queryKey: [...keys.references(project, type, id), 'open', version],
    enabled: version !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = await Promise.all([
        loadReferences(entity, { state: 'missing' }, signal),
        loadReferences(entity, { state: 'ambiguous' }, signal),
      ]);
      return openReferences(found.flatMap(({ references }) => references));
    },
  });
};

async function loadReferences(
  { project, type, id }: EntityAddress,
  which: { direction: Direction } | { state: 'missing' | 'ambiguous' },
  signal: AbortSignal,
): Promise<References> {
  const references: Reference[] = [];
  let [cursor, total]: [string | null, number] = [null, 0];
  do {
    const query = { ...which, limit: PAGE, ...(cursor !== null && { cursor }) };
    const page = await apiOf(project).listReferences({ params: { type, id }, query, signal });
    references.push(...page.references);
    [cursor, total] = [page.next_cursor, page.total];
  } while (cursor !== null && references.length < MOST);
  return { references, total };
}

/** The entities one reference away, in either direction. */
export const useNeighbours = ({ project, type, id }: EntityAddress) =>
  useQuery({
    queryKey: [...keys.references(project, type, id), 'graph'],
    queryFn: ({ signal }) =>
      apiOf(project).getGraph({
        query: { around: `${type}:${id}`, depth: 1, limit: NEIGHBOURS },
        signal,
      }),
  });
