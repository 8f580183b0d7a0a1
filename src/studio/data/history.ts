import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { firstLineOf } from '../domain/text-line.ts';
import { type Api, apiOf } from './api.ts';
import { keys } from './cache.ts';
import { type EntityAddress, useEntityVersion } from './entity.ts';

type Page = Awaited<ReturnType<Api['listRevisions']>>;
export type Revision = Page['revisions'][number];

const PAGE = 50;

/** Versions in a row that one person made in one go. */
export interface Sitting {
  first: number;
  last: number;
  /** The version that stood before; null where nothing did, or nothing is kept. */
  before: number | null;
  startedAt: string;
  endedAt: string;
  changed: readonly string[];
  source: Revision['source'];
  by: string | null;
  /** Plugins that had a part in it, by their ids. */
  via: readonly string[];
  isCurrent: boolean;
}

/** The sittings of an entity, the newest first, page after page. */
export function useSittings(entity: EntityAddress) {
  const { project, type, id } = entity;
  const version = useEntityVersion(entity);
  return useInfiniteQuery({
    queryKey: [...keys.revisions(project, type, id), 'sittings', version],
    enabled: version !== undefined,
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      apiOf(project).listRevisions({
        params: { type, id },
        query: { grouped: true, limit: PAGE, offset: pageParam },
        signal,
      }),
    getNextPageParam: ({ offset, revisions, total }) => {
      const next = offset + revisions.length;
      return revisions.length > 0 && next < total ? next : undefined;
    },
    select: sittingsIn,
  });
}

function sittingsIn({ pages }: InfiniteData<Page>): Sitting[] {
  const all = pages.flatMap(({ revisions }) => revisions);
  const hasAll = all.length >= (pages.at(-1)?.total ?? 0);
  return all.map((revision, index) => sittingOf(revision, all[index + 1], hasAll));
}

function sittingOf(revision: Revision, older: Revision | undefined, hasAll: boolean): Sitting {
  const { version, sitting, created_at, changed, source, created_by, via, current } = revision;
  const first = sitting?.first_version ?? version;
  return {
    first,
    last: version,
    before: older?.version ?? (hasAll || first === 1 ? null : first - 1),
    startedAt: sitting?.started_at ?? created_at,
    endedAt: sitting?.ended_at ?? created_at,
    changed: sitting?.changed ?? changed,
    source,
    by: created_by,
    via: sitting?.via ?? via,
    isCurrent: current,
  };
}

/** The line of the file at which the text begins, from 1; undefined while it is not known. */
export function useFirstLine(entity: EntityAddress, isNeeded: boolean): number | undefined {
  const { project, type, id } = entity;
  const version = useEntityVersion(entity);
  const { data } = useQuery({
    queryKey: [...keys.revisions(project, type, id), 'first line', version],
    enabled: isNeeded && version !== undefined,
    queryFn: async ({ signal }) =>
      firstLineOf(await apiOf(project).getRevision({ params: { type, id, version: version ?? 0 }, signal })),
  });
  return data;
}
