import { conflict } from '../../kit/errors.ts';
import { countEntities } from '../records/counts.store.ts';
import { findEntityRows } from '../records/entity-rows.store.ts';
import type { RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import type { PushedEntity } from './push.contract.ts';

const MOST_AT_ONCE = 50;
const MOST_SHARE = 0.3;
/** A single entity is no mass, however small the project. */
const NEVER_A_MASS = 1;

/** 409 for deletions that are so many at once that they may be a mistake, such as a disk that was not mounted. */
export async function brake(project: Project, pushed: readonly PushedEntity[]): Promise<void> {
  const deletions = await countLive(
    project,
    pushed.filter(({ deleted }) => deleted),
  );
  if (deletions <= NEVER_A_MASS) return;
  const entities = await project.database.read((db: RecordsDb) => countEntities(db, project));
  if (deletions <= MOST_AT_ONCE && deletions <= entities * MOST_SHARE) return;
  throw conflict(
    `This push would delete ${deletions} of ${entities} entities; more than ${MOST_AT_ONCE} or ${MOST_SHARE * 100} % at once need force: true. Nothing was changed`,
    { code: 'brake', body: { deletions, entities } },
  );
}

/** How many of them are there: what is gone already is not deleted once more. */
async function countLive(project: Project, pushed: readonly PushedEntity[]): Promise<number> {
  if (pushed.length === 0) return 0;
  return project.database.read(async (db: RecordsDb) => {
    let live = 0;
    for (const [type, group] of Map.groupBy(pushed, ({ entity_type }) => entity_type)) {
      const ids = [...new Set(group.map(({ entity_id }) => entity_id))];
      live += (await findEntityRows(db, project, type, ids)).length;
    }
    return live;
  });
}
