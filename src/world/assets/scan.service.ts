import type { Clock } from '../../kit/clock.ts';
import { unavailable } from '../../kit/errors.ts';
import type { Entities } from '../entities/index.ts';
import type { Mirror, SyncScope } from '../mirror/index.ts';
import type { Project } from '../records/index.ts';
import { countAssets } from './asset-list.store.ts';
import { type FileProblem, listProblems } from './asset-rows.store.ts';
import type { AssetDb } from './assets.tables.ts';
import type { Follower } from './follow.ts';

const MOST_LISTED = 200;

export interface ScansOptions {
  entities: Entities;
  mirror: Mirror;
  follower: Follower;
  clock: Clock;
}

/** A scan is a sync of files followed by an update of the assets. */
export function createScans({ entities, mirror, follower, clock }: ScansOptions) {
  async function scan(
    project: Project,
    scope: SyncScope,
    filter: { entity_type?: string; entity_id?: string },
  ) {
    const startedAt = clock.now();
    await follower.follow(project);
    const found: { sync: Awaited<ReturnType<Mirror['sync']>> | null } = { sync: null };
    const tally = await follower.counting(project, async () => {
      found.sync = await mirror.sync(project, scope);
      await follower.follow(project);
    });
    const { sync } = found;
    if (sync?.error) throw unavailable(`The folder cannot be read: ${sync.error.message}`);
    const { total, problems } = await project.database.read(async (db: AssetDb) => ({
      total: await countAssets(db, project.database.dialect, project, filter),
      problems: await listProblems(db, project, MOST_LISTED),
    }));
    return {
      status: sync?.confirmation ? ('needs_confirmation' as const) : ('completed' as const),
      duration_ms: clock.now() - startedAt,
      total,
      ...tally,
      skipped: sync?.skipped ?? [],
      skipped_total: sync?.skipped_total ?? 0,
      problems: problems
        .flatMap((file) =>
          (JSON.parse(file.problems) as FileProblem[]).map((problem) => ({ path: file.path, ...problem })),
        )
        .slice(0, MOST_LISTED),
    };
  }

  return {
    all: (project: Project) => scan(project, { kind: 'full' }, {}),
    async entity(project: Project, entityType: string, entityId: string) {
      const row = await entities.findRow(project, entityType, entityId);
      const folder = row.path.slice(0, row.path.lastIndexOf('/'));
      return scan(
        project,
        { kind: 'paths', paths: [folder] },
        { entity_type: entityType, entity_id: entityId },
      );
    },
  };
}

export type Scans = ReturnType<typeof createScans>;
