import { PLANS, type PlanName } from '../../access/plans.ts';
import { limitReached } from '../../kit/errors.ts';
import { countTenantEntities, type Project, type RecordsDb } from '../records/index.ts';

/** More than can be created concurrently: a tenant this far below the limit needs no lock. */
const NEAR = 500;

const limitReply = (limit: number) =>
  limitReached(
    `Your plan allows ${limit} entities, and they are all used. Delete some or choose a larger plan`,
    { code: 'entity_limit' },
  );

/**
 * Runs the creation if the plan allows `more` entities, else throws 402 before a file is written; existing files are always imported.
 * Near the limit a tenant's creations run one after another, in all projects and processes.
 */
export async function inRoom<Result>(
  project: Project,
  { plan, more }: { plan: PlanName; more: number },
  make: () => Promise<Result>,
): Promise<Result> {
  const limit = PLANS[plan].entities_limit;
  if (limit < 0 || more === 0) return make();
  const left = async () =>
    limit - (await project.database.read((db: RecordsDb) => countTenantEntities(db, project.tenantId)));
  if ((await left()) >= more + NEAR) return make();
  return project.database.exclusive('entity room', async () => {
    if ((await left()) < more) throw limitReply(limit);
    return make();
  });
}
