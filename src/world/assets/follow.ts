import { type Clock, isoTime } from '../../kit/clock.ts';
import { createPauses } from '../../kit/pauses.ts';
import { keyOfProject, type Project } from '../records/index.ts';
import {
  assetFileChanges,
  deleteAssets,
  deleteLongGone,
  putAssets,
  putCursor,
  putProblems,
  putRelationships,
  putVersions,
  readProgress,
  renameAsset,
} from './asset-rows.store.ts';
import type { AssetDb } from './assets.tables.ts';
import { type FollowPlan, type FollowTally, planChanges } from './plan-changes.ts';
import type { Sidecars } from './sidecars.ts';

/** Changed files of one step. */
const STEP = 1000;
/** Numbers of changes that are looked through at once: in an import hardly any of them is an asset's. */
const WINDOW = 10_000;
/** Up to the newest: a file that another process stores again meanwhile has a number beyond the last that was read. */
const ANY = Number.MAX_SAFE_INTEGER;
/** So many changes of other files are looked past again rather than noted. */
const NOT_WORTH_NOTING = 500;
const GONE_DAYS = 30;
const DAY_MS = 86_400_000;

const NOTHING_YET = { changes: [], upTo: 0, isDone: true };

export const assetsLock = (project: Project): string => `assets ${project.projectId}`;

/**
 * Keeps the assets' rows what the files' rows and the sidecars say. It reads on from the last change that it has seen,
 * before whatever needs the assets, so neither a sync nor a crash has to know of it.
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
        await putCursor(db, dialect, project, cursor);
      },
      // What a power cut takes back is followed again: rows and cursor are of one commit.
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
   * The caller holds the lock of the project's assets. While more is to come, what fills no step is left for later: most of
   * a small step's cost is that hashes and ids lie all over their indexes.
   */
  async function followHeld(project: Project, { moreComes = false } = {}): Promise<void> {
    const pause = createPauses();
    for (;;) {
      const { changes, upTo, isDone } = await project.database.read(async (db: AssetDb) => {
        const { cursor, last } = await readProgress(db, project);
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
      const { cursor, last } = await readProgress(db, project);
      if (cursor === last) return false;
      if (last - cursor >= NOT_WORTH_NOTING) return true;
      return (await assetFileChanges(db, project, cursor, ANY, 1)).length > 0;
    });

  return {
    followHeld,
    /** Resolves when all that was committed before the call is followed; who asks meanwhile shares the run. */
    async follow(project: Project): Promise<void> {
      const key = keyOfProject(project);
      // A run under way may have looked past what was committed since.
      await running.get(key)?.catch(() => {});
      if (!(await isBehind(project))) return;
      const shared = running.get(key);
      if (shared) return shared;
      const run = project.database.exclusive(assetsLock(project), () => followHeld(project));
      running.set(key, run);
      return run.finally(() => running.delete(key));
    },
    /** Follows what fills whole steps, while a long sync goes on. */
    advance: (project: Project): Promise<void> =>
      project.database.exclusive(assetsLock(project), () => followHeld(project, { moreComes: true })),
    /** Counts what is followed while `work` runs. */
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
