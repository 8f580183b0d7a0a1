import {
  createDeletionGuard,
  type DeletionGuard,
  MOST_AT_ONCE,
  MOST_SHARE,
} from '../../content/replica/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import {
  countEntities,
  findEntityRows,
  keyOfProject,
  type Project,
  type RecordsDb,
} from '../../world/records/index.ts';
import type { PushedEntity } from './push.contract.ts';

export interface GuardedPush {
  entities: readonly PushedEntity[];
  force?: boolean | undefined;
}

/** Stops pushes that delete so much within a minute that it may be a mistake, such as an unmounted disk. */
export function createPushGuard({ clock }: { clock: Clock }) {
  const guards = new Map<string, DeletionGuard>();

  function guardOf(project: Project): DeletionGuard {
    for (const [key, guard] of guards) if (guard.isIdle()) guards.delete(key);
    const key = keyOfProject(project);
    const guard = guards.get(key) ?? createDeletionGuard(() => clock.now());
    guards.set(key, guard);
    return guard;
  }

  /** 409 until confirmed by `force`. */
  return async (project: Project, { entities, force = false }: GuardedPush): Promise<void> => {
    const doomed = entities.filter(({ deleted }) => deleted);
    if (doomed.length === 0) return;
    if (force) return guardOf(project).settle();
    const live = await liveKeys(project, doomed);
    const present = await project.database.read((db: RecordsDb) => countEntities(db, project));
    // Synchronous from here on: two concurrent pushes must not both pass.
    const guard = guardOf(project);
    const mass = guard.massOf(live, present);
    if (mass === null) return guard.note(live);
    throw conflict(
      `This push would delete ${live.length} entities, which makes ${mass.deletions} of ${mass.of} within a minute; more than ${MOST_AT_ONCE} or ${MOST_SHARE * 100} % need force: true. Nothing was changed`,
      { code: 'brake', body: { deletions: mass.deletions, entities: mass.of } },
    );
  };
}

/** Those that exist: deleting the others changes nothing. */
async function liveKeys(project: Project, pushed: readonly PushedEntity[]): Promise<string[]> {
  return project.database.read(async (db: RecordsDb) => {
    const live: string[] = [];
    for (const [type, group] of Map.groupBy(pushed, ({ entity_type }) => entity_type)) {
      const ids = [...new Set(group.map(({ entity_id }) => entity_id))];
      for (const { entity_id } of await findEntityRows(db, project, type, ids))
        live.push(`${type}/${entity_id}`);
    }
    return live;
  });
}
