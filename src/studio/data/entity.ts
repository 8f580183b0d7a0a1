import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isLocalId } from '../domain/drafts/draft.ts';
import { apiOf } from './api.ts';
import { keys } from './cache.ts';
import type { DraftView } from './drafts/book.ts';
import type { EntityDraft } from './drafts/drafts.ts';
import { askOrRecall } from './kept.ts';
import { useStore } from './store.ts';
import { useWorkspace } from './workspace.ts';

export interface EntityAddress {
  project: string;
  type: string;
  id: string;
}

export const entityQuery = ({ project, type, id }: EntityAddress) =>
  queryOptions({
    queryKey: keys.entity(project, type, id),
    enabled: !isLocalId(id),
    queryFn: ({ signal }) =>
      askOrRecall(keys.entity(project, type, id), () =>
        apiOf(project).getEntity({ params: { type, id }, signal }),
      ),
  });

/** An entity as the service has it. */
export const useEntity = (address: EntityAddress) => useQuery(entityQuery(address));

/** The version that the service has; what follows from an entity is asked for anew with each. */
export const useEntityVersion = (address: EntityAddress): number | undefined =>
  useEntity(address).data?.version;

export type OpenedDraft =
  | { state: 'opening' }
  | { state: 'open'; draft: EntityDraft; error: Error | null }
  /** A new entity of which nothing was kept. */
  | { state: 'forgotten' }
  | { state: 'failed'; error: Error };

/** The draft of an entity: what the service has, with what the user changed. It opens without the service if it is kept here. */
export function useEntityDraft(address: EntityAddress): OpenedDraft {
  const { project, type, id } = address;
  const workspace = useWorkspace();
  const { data, error } = useEntity(address);
  const [draft, setDraft] = useState<EntityDraft | null>(null);
  const [isForgotten, setForgotten] = useState(false);

  useEffect(() => {
    if (!workspace) return;
    let isGone = false;
    let opened: EntityDraft | null = null;
    const { account, drafts } = workspace;
    drafts.open({ account, project, type, id }, data).then((found) => {
      opened = found;
      if (isGone) return found?.release();
      setDraft(found);
      setForgotten(found === null && isLocalId(id));
    });
    return () => {
      isGone = true;
      opened?.release();
    };
  }, [workspace, project, type, id, data]);

  if (draft) return { state: 'open', draft, error };
  if (isForgotten) return { state: 'forgotten' };
  return error ? { state: 'failed', error } : { state: 'opening' };
}

/** The view of a draft as it is now. */
export const useDraftView = (draft: EntityDraft): DraftView => useDraftPart(draft, (view) => view);

/** One part of it: what shows a part alone is not drawn again for each key that is typed into another. */
export const useDraftPart = <T>(draft: EntityDraft, partIn: (view: DraftView) => T): T =>
  useStore({ get: () => partIn(draft.getSnapshot()), subscribe: draft.subscribe });
