import type { Entities, MoveMany, PlannedMove } from '../../world/entities/index.ts';
import type { Project } from '../../world/records/index.ts';
import type { PushedEntity } from './push.contract.ts';
import type { PushEntity, Pusher } from './push-entity.ts';
import { entityPath } from './pushed-path.ts';
import { refusalOf } from './refusal.ts';

type MovedEntity = PushedEntity & { path: string; base_path: string };

const isMoved = (pushed: PushedEntity): pushed is MovedEntity =>
  pushed.base_path !== undefined &&
  pushed.path !== undefined &&
  pushed.base_path !== pushed.path &&
  !pushed.deleted;

/**
 * Moves entities whose pushed path differs from their base. One that was moved here meanwhile, or whose new place is taken,
 * stays: its path is returned with the outcome of its text.
 */
export function createPushMoves({
  entities,
  moveMany,
  pushEntity,
}: {
  entities: Entities;
  moveMany: MoveMany;
  pushEntity: PushEntity;
}) {
  async function planned(
    project: Project,
    pushed: MovedEntity,
    pusher: Pusher,
  ): Promise<PlannedMove | undefined> {
    try {
      const template = await entities.templateOf(project, pushed.entity_type);
      entityPath(template, pushed.path);
      await pushEntity.bringBack(project, template, pushed, pusher);
    } catch (error) {
      // The same error is thrown again, and reported, when the text is processed.
      refusalOf(error);
      return undefined;
    }
    return {
      type: pushed.entity_type,
      id: pushed.entity_id,
      from: pushed.base_path,
      to: pushed.path,
      isWhole: pushed.keep_folder !== true,
      actor: pusher.actor,
      also: async () => undefined,
    };
  }

  return async (project: Project, entities: readonly PushedEntity[], pusher: Pusher): Promise<void> => {
    const moves: PlannedMove[] = [];
    for (const pushed of entities.filter(isMoved)) {
      const move = await planned(project, pushed, pusher);
      if (move) moves.push(move);
    }
    if (moves.length === 0) return;
    for (const error of (await moveMany(project, moves)).values()) refusalOf(error);
  };
}

export type PushMoves = ReturnType<typeof createPushMoves>;
