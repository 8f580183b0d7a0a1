import { useQuery } from '@tanstack/react-query';
import { type Api, apiOf } from './api.ts';
import { forgetEntity, keys, markEntity, markLists, markWorld } from './cache.ts';
import type { EntityAddress } from './entity.ts';
import { effective, ended, type Operation, undo } from './operations.ts';
import { whenOpen } from './workspace.ts';

/** The number of references to an entity; undefined until it is known. */
export function useReferrerCount({ project, type, id }: EntityAddress): number | undefined {
  const { data } = useQuery({
    queryKey: [...keys.references(project, type, id), 'count'],
    queryFn: async ({ signal }) => {
      const query = { direction: 'in', limit: 1 } as const;
      return (await apiOf(project).listReferences({ params: { type, id }, query, signal })).total;
    },
  });
  return data;
}

/** Moves an entity to the recycle bin. */
export async function deleteEntity({ project, type, id }: EntityAddress): Promise<void> {
  forgetEntity({ project, type, id });
  await apiOf(project).deleteEntity({ params: { type, id } });
  markLists(project, [type]);
}

export type Renaming = Awaited<ReturnType<Api['renameEntity']>>;

const renameBody = ({ type, id }: EntityAddress, newId: string) => ({
  entity_type: type,
  old_id: id,
  new_id: newId,
});

/** The files that a new id would change. */
export const previewRename = (entity: EntityAddress, newId: string): Promise<Renaming> =>
  apiOf(entity.project).renameEntity({ body: { ...renameBody(entity, newId), dry_run: true } });

/** Gives an entity another id; everything that refers to it follows. */
export function renameEntity(entity: EntityAddress, newId: string): Promise<Operation | undefined> {
  const { project } = entity;
  return moving(entity, { ...entity, id: newId }, async () => {
    const answer: Renaming | Operation = await apiOf(project).renameEntity({
      body: renameBody(entity, newId),
    });
    // A long one is answered by its operation.
    const operation = 'files' in answer ? answer.operation : await ended(project, answer);
    return operation && effective(operation);
  });
}

/**
 * Takes the operation back that gave an entity another id. What was typed under it since is saved first, and stays; null,
 * and nothing is taken back, where it cannot be saved.
 */
export async function takeRenameBack(
  entity: EntityAddress,
  newId: string,
  operationId: string,
): Promise<Operation | null> {
  const { drafts } = await whenOpen();
  await drafts.flush();
  const isUnsaved = drafts.unsaved
    .getSnapshot()
    .some(
      ({ draft: { key } }) => key.project === entity.project && key.type === entity.type && key.id === newId,
    );
  if (isUnsaved) return null;
  return moving({ ...entity, id: newId }, entity, () => undo(entity.project, operationId));
}

/** Meanwhile nothing is asked about the entity under the id that it leaves. */
async function moving<Result>(
  from: EntityAddress,
  to: EntityAddress,
  move: () => Promise<Result>,
): Promise<Result> {
  forgetEntity(from);
  try {
    const result = await move();
    markEntity(to);
    await markWorld(from.project);
    return result;
  } catch (error) {
    markEntity(from);
    throw error;
  }
}
