import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { partsOf } from '../../kit/parts.ts';
import { FilesError } from '../../platform/files/files.ts';
import { type ChangedEntity, entitiesOf, followDeletions } from '../entities/import.service.ts';
import { countEntities } from '../records/counts.store.ts';
import { findFiles } from '../records/files.store.ts';
import type { EntityRow, RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import type { Brake } from './report.ts';

export interface DeletionRequest {
  vanished: readonly string[];
  orphans: readonly EntityRow[];
  recycledFolders: readonly string[];
  seenSeq: number;
  rootEmpty: boolean;
  force: boolean;
  /** Named by the watcher: an editor that saves by removing and writing gets a moment to finish. */
  isHint: boolean;
}

export interface DeletionOutcome {
  deleted: number;
  changes: ChangedEntity[];
  /** Set when nothing was deleted since it would be too much. */
  brake: Brake | null;
  /** Paths that came back: to be looked at again. */
  back: string[];
}

const CHUNK = 100;
const MOST_AT_ONCE = 50;
const MOST_SHARE = 0.3;
/** A single entity is no mass, however small the project. */
const NEVER_A_MASS = 1;
/** Deletions that a slow removal spreads over several events count together. */
const AT_ONCE_MS = 30_000;
const EDITORS_GAP_MS = 200;
const EXAMPLES = 10;

/** Follows deletions in the folder, unless they are too many at once (decisions, reliability invariant 6). */
export function createDeletions(project: Project, clock: Clock) {
  let recent: { at: number; count: number }[] = [];

  async function entitiesAt(paths: readonly string[]): Promise<EntityRow[]> {
    const rows: EntityRow[] = [];
    for (const chunk of partsOf(paths, CHUNK)) {
      rows.push(
        ...(await project.database.read(async (db: RecordsDb) => {
          const files = await findFiles(db, project, chunk);
          return entitiesOf(db, project, [...files.values()]);
        })),
      );
    }
    return rows;
  }

  async function brakeFor(doomed: readonly EntityRow[], rootEmpty: boolean): Promise<Brake | null> {
    const now = clock.now();
    recent = recent.filter(({ at }) => now - at < AT_ONCE_MS);
    const before = recent.reduce((sum, { count }) => sum + count, 0);
    const deletions = doomed.length + before;
    const entities = (await project.database.read((db: RecordsDb) => countEntities(db, project))) + before;
    const share = entities === 0 ? 0 : deletions / entities;
    const isMass = deletions > MOST_AT_ONCE || (share > MOST_SHARE && deletions > NEVER_A_MASS);
    if (!rootEmpty && (doomed.length === 0 || !isMass)) return null;
    return {
      since: isoTime(now),
      deletions: doomed.length,
      entities,
      reason: rootEmpty
        ? 'the content folder is empty; its disk may not be mounted'
        : `${deletions} of ${entities} entities are gone from the folder; more than ${MOST_AT_ONCE} or ${MOST_SHARE * 100} % at once need a confirmation`,
      examples: doomed.slice(0, EXAMPLES).map((row) => `${row.entity_type}/${row.entity_id}`),
    };
  }

  async function stillGone(paths: readonly string[]) {
    const gone: string[] = [];
    const back: string[] = [];
    for (const path of paths) {
      const stat = await project.files.stat(path).catch(goneUnlessDown);
      (stat === undefined ? gone : back).push(path);
    }
    return { gone, back };
  }

  return {
    async follow(request: DeletionRequest): Promise<DeletionOutcome> {
      const outcome: DeletionOutcome = { deleted: 0, changes: [], brake: null, back: [] };
      let { vanished } = request;
      let doomed = [...(await entitiesAt(vanished)), ...request.orphans];
      if (request.isHint && doomed.length > 0) {
        await pause(EDITORS_GAP_MS);
        const { gone, back } = await stillGone(vanished);
        vanished = gone;
        outcome.back = back;
        doomed = [...(await entitiesAt(gone)), ...request.orphans];
      }
      if (!request.force) outcome.brake = await brakeFor(doomed, request.rootEmpty);
      if (outcome.brake) return outcome;
      const options = {
        now: () => isoTime(clock.now()),
        seenSeq: request.seenSeq,
        recycledFolders: new Set(request.recycledFolders),
      };
      for (let at = 0; at < Math.max(vanished.length, 1); at += CHUNK) {
        const orphans = at === 0 ? request.orphans : [];
        const chunk = vanished.slice(at, at + CHUNK);
        if (chunk.length + orphans.length === 0) break;
        const { deleted, changes } = await followDeletions(project, { vanished: chunk, orphans }, options);
        outcome.deleted += deleted;
        outcome.changes.push(...changes);
      }
      // What somebody confirmed is settled: it counts no more.
      if (request.force) recent = [];
      else if (outcome.deleted > 0) recent.push({ at: clock.now(), count: outcome.deleted });
      return outcome;
    },
  };
}

/** A storage that does not answer says of nothing that it is gone. */
function goneUnlessDown(error: unknown): undefined {
  if (error instanceof FilesError && error.code === 'io') throw error;
}

export type FollowDeletions = ReturnType<typeof createDeletions>;
