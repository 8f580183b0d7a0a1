import { QueryClient } from '@tanstack/react-query';
import { isUnreachable } from './errors.ts';

const RETRIES = 2;

/** The answers of the service. Events of the socket mark outdated ones; the rest is asked again after a minute. */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 10 * 60_000,
      // Answers that were kept are given without a network too.
      networkMode: 'always',
      retry: (failures, error) => failures < RETRIES && isUnreachable(error),
    },
  },
});

/** Keys begin with the project, so that all that is known of a world, or of an entity, can be marked at once. */
export const keys = {
  world: (project: string) => [project] as const,
  types: (project: string) => [project, 'types'] as const,
  starterPacks: (project: string) => [project, 'starter packs'] as const,
  schemas: (project: string) => [project, 'schema'] as const,
  schema: (project: string, type: string) => [project, 'schema', type] as const,
  layout: (project: string, type: string) => [project, 'layout', type] as const,
  lists: (project: string, type: string) => [project, 'list', type] as const,
  entity: (project: string, type: string, id: string) => [project, 'entity', type, id] as const,
  assets: (project: string, type: string, id: string) => [project, 'assets', type, id] as const,
  references: (project: string, type: string, id: string) => [project, 'references', type, id] as const,
  revisions: (project: string, type: string, id: string) => [project, 'revisions', type, id] as const,
  ai: (project: string) => [project, 'ai'] as const,
  plugins: (project: string) => [project, 'plugins'] as const,
  findings: (project: string) => [project, 'findings'] as const,
  conflicts: (project: string) => [project, 'conflicts'] as const,
  broken: (project: string) => [project, 'broken'] as const,
  search: (project: string, text: string) => [project, 'search', text] as const,
  activity: (project: string) => [project, 'activity'] as const,
  recycled: (project: string) => [project, 'recycled'] as const,
};

interface EntityKey {
  project: string;
  type: string;
  id: string;
}

const keysOf = ({ project, type, id }: EntityKey) =>
  [keys.entity, keys.references, keys.revisions].map((key) => key(project, type, id));

const nameOf = (project: unknown, type: unknown, id: unknown) => JSON.stringify([project, type, id]);

const deletedHere = new Set<string>();

/** Keys of whatever is known of an entity have its type and its id in these places. */
const isDeletedHere = ({ queryKey: [project, , type, id] }: { queryKey: readonly unknown[] }): boolean =>
  deletedHere.has(nameOf(project, type, id));

/** What is known of entities that this page deleted is not asked again. */
const mark = (queryKey: readonly unknown[]): Promise<void> =>
  cache.invalidateQueries({ queryKey, predicate: (query) => !isDeletedHere(query) });

/** An entity changed: what is shown of it is asked again. */
export function markEntity(entity: EntityKey): void {
  deletedHere.delete(nameOf(entity.project, entity.type, entity.id));
  for (const queryKey of keysOf(entity)) void mark(queryKey);
}

/** This page deletes the entity, or gives it another id: it asks nothing more about it. */
export function forgetEntity(entity: EntityKey): void {
  deletedHere.add(nameOf(entity.project, entity.type, entity.id));
  // The answers to what was asked before would be that it is not there.
  void cache.cancelQueries({ predicate: isDeletedHere });
  markGone(entity);
}

/** An entity is gone. Whether it is there is asked once more, unless this page deleted it. */
export function markGone(entity: EntityKey): void {
  for (const [place, queryKey] of keysOf(entity).entries()) {
    const isAsked = place === 0 && !isDeletedHere({ queryKey });
    void cache.invalidateQueries({ queryKey, refetchType: isAsked ? 'active' : 'none' });
  }
}

/** Entities of some types changed: lists and counts are asked again. */
export function markLists(project: string, types: Iterable<string>): void {
  const lists = [...types].map((type) => keys.lists(project, type));
  const counts = [keys.findings, keys.conflicts, keys.broken, keys.recycled, keys.activity];
  for (const queryKey of [...lists, ...counts.map((key) => key(project))]) void mark(queryKey);
}

/** Anything in a world may have changed. */
export const markWorld = (project: string): Promise<void> => mark(keys.world(project));

/** With the network back, nothing that is shown may be an answer of before. */
window.addEventListener('online', () => void cache.invalidateQueries());
