import { type Clock, isoTime } from '../../kit/clock.ts';
import { createPauses } from '../../kit/pauses.ts';
import { keyOfProject, type Project, putFeedCursor, readFeed } from '../records/index.ts';
import {
  assetFileChanges,
  deleteAssets,
  deleteLongGone,
  putAssets,
  putProblems,
  putRelationships,
  putVersions,
  renameAsset,
} from './asset-rows.store.ts';
import type { AssetDb } from './assets.tables.ts';
import { type FollowPlan, type FollowTally, planChanges } from './plan-changes.ts';
import type { Sidecars } from './sidecars.ts';

const FEED_READER = 'assets';
/** Changed files per step. */
const STEP = 1000;
/** Sequence numbers per query: in an import hardly any belongs to an asset. */
const WINDOW = 10_000;
/** No upper bound: another process may store a file again meanwhile, under a number beyond the last one read. */
const ANY = Number.MAX_SAFE_INTEGER;
/** Changes of other files that are skipped again rather than recorded in the cursor. */
const NOT_WORTH_NOTING = 500;
const GONE_DAYS = 30;
const DAY_MS = 86_400_000;

const NOTHING_YET = { changes: [], upTo: 0, isDone: true };

export const assetsLock = (project: Project): string => `assets ${project.projectId}`;

/**
 * Keeps the assets' rows in step with file rows and sidecars. It continues from the last change seen before every use of assets, so
 * neither a sync nor a crash needs to know about it.
 */
export function createFollower({ sidecars, clock }: { sidecars: Sidecars; clock: Clock }) {
  const running = new Map<string, Promise<void>>();
  const tallies = new Set<{ project: Project; tally: FollowTally }>();

  async function store(project: Project, plan: FollowPlan, cursor: number): Promise<void> {
    const { dialect } = project.database;
    const now = clock.now();
    await project.database.write(
      async (db: AssetDb) => {
        await deleteAssets(db, project, plan.forgotten);
        await putAssets(db, dialect, plan.rows);
        for (const { from, to } of plan.renamed) await renameAsset(db, project, from, to);
        await putVersions(db, dialect, plan.versions);
        await putRelationships(db, dialect, project, plan.related, plan.relationships);
        for (const { path, problems } of plan.problems)
          await putProblems(db, dialect, project, path, problems);
        await deleteLongGone(db, project, isoTime(now - GONE_DAYS * DAY_MS));
        await putFeedCursor(db, dialect, project, { reader: FEED_READER, seq: cursor });
      },
      // After a power cut the same changes are followed again: rows and cursor share a commit.
      { durable: false },
    );
  }

  function count(project: Project, plan: FollowPlan): void {
    for (const each of tallies) {
      if (each.project !== project) continue;
      for (const key of Object.keys(plan.tally) as (keyof FollowTally)[]) each.tally[key] += plan.tally[key];
    }
  }

  /**
   * The caller holds the lock of the project's assets. While more changes are coming, a partial step waits: most of its cost is that
   * hashes and ids are scattered over their indexes.
   */
  async function followHeld(project: Project, { moreComes = false } = {}): Promise<void> {
    const pause = createPauses();
    for (;;) {
      const { changes, upTo, isDone } = await project.database.read(async (db: AssetDb) => {
        const { cursor, last } = await readFeed(db, project, FEED_READER);
        if (moreComes && last - cursor < STEP) return NOTHING_YET;
        const end = Math.min(last, cursor + WINDOW);
        const isLast = end === last;
        const found = await assetFileChanges(db, project, cursor, isLast ? ANY : end, STEP);
        const isIdle = found.length === 0 && last - cursor < NOT_WORTH_NOTING;
        const fillsNoStep = isLast && found.length < STEP;
        const latest = found.at(-1)?.seq ?? end;
        return {
          changes: found,
          upTo: found.length < STEP ? Math.max(end, latest) : latest,
          isDone: isIdle || (moreComes && fillsNoStep),
        };
      });
      if (isDone) return;
      const plan = await planChanges(project, changes, sidecars, isoTime(clock.now()));
      await store(project, plan, upTo);
      count(project, plan);
      await pause();
    }
  }

  const isBehind = (project: Project): Promise<boolean> =>
    project.database.read(async (db: AssetDb) => {
      const { cursor, last } = await readFeed(db, project, FEED_READER);
      if (cursor === last) return false;
      if (last - cursor >= NOT_WORTH_NOTING) return true;
      return (await assetFileChanges(db, project, cursor, ANY, 1)).length > 0;
    });

  return {
    followHeld,
    /** Resolves when everything committed before the call is followed; concurrent callers share the run. */
    async follow(project: Project): Promise<void> {
      const key = keyOfProject(project);
      // A running one may already have passed what was committed since.
      await running.get(key)?.catch(() => {});
      if (!(await isBehind(project))) return;
      const shared = running.get(key);
      if (shared) return shared;
      const run = project.database.exclusive(assetsLock(project), () => followHeld(project));
      running.set(key, run);
      return run.finally(() => running.delete(key));
    },
    /** Follows full steps only, while a long sync goes on. */
    advance: (project: Project): Promise<void> =>
      project.database.exclusive(assetsLock(project), () => followHeld(project, { moreComes: true })),
    /** Counts the changes that are followed while `work` runs. */
    async counting(project: Project, work: () => Promise<void>): Promise<FollowTally> {
      const counted = { project, tally: { added: 0, replaced: 0, moved: 0, removed: 0 } };
      tallies.add(counted);
      try {
        await work();
      } finally {
        tallies.delete(counted);
      }
      return counted.tally;
    },
  };
}

export type Follower = ReturnType<typeof createFollower>;
