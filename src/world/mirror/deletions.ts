import { setTimeout as pause } from 'node:timers/promises';
import { createDeletionGuard, MOST_AT_ONCE, MOST_SHARE } from '../../content/replica/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { partsOf } from '../../kit/parts.ts';
import { FilesError } from '../../platform/files/files.ts';
import { entitiesOf, followDeletions } from '../entities/index.ts';
import {
  countEntities,
  type EntityName,
  type EntityRow,
  findFiles,
  type Project,
  type RecordsDb,
} from '../records/index.ts';
import type { HeldDeletions } from './report.ts';

export interface DeletionRequest {
  vanished: readonly string[];
  orphans: readonly EntityRow[];
  recycledFolders: readonly string[];
  seenSeq: number;
  rootEmpty: boolean;
  force: boolean;
  /** True if the watcher named the paths: an editor that saves by removing and writing gets a moment to finish. */
  isHint: boolean;
}

export interface DeletionOutcome {
  deleted: EntityName[];
  held: HeldDeletions | null;
  back: string[];
}

const CHUNK = 100;
const EDITOR_GRACE_MS = 200;
const EXAMPLES = 10;

const keyOf = ({ entity_type, entity_id }: EntityRow): string => `${entity_type}/${entity_id}`;

/** Follows deletions in the folder, unless they are too many at once (decisions, reliability invariant 6). */
export function createDeletions(project: Project, clock: Clock) {
  const guard = createDeletionGuard(() => clock.now());

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

  async function checkGuard(doomed: readonly EntityRow[], rootEmpty: boolean): Promise<HeldDeletions | null> {
    const present = await project.database.read((db: RecordsDb) => countEntities(db, project));
    const mass = guard.massOf(doomed.map(keyOf), present);
    if (!rootEmpty && mass === null) return null;
    const { deletions, of: entities } = mass ?? { deletions: doomed.length, of: present };
    return {
      since: isoTime(clock.now()),
      deletions: doomed.length,
      entities,
      reason: rootEmpty
        ? 'the content folder is empty; its disk may not be mounted'
        : `${deletions} of ${entities} entities are gone from the folder; more than ${MOST_AT_ONCE} or ${MOST_SHARE * 100} % within a minute need a confirmation`,
      examples: doomed.slice(0, EXAMPLES).map(keyOf),
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
      const outcome: DeletionOutcome = { deleted: [], held: null, back: [] };
      let { vanished } = request;
      let doomed = [...(await entitiesAt(vanished)), ...request.orphans];
      if (request.isHint && doomed.length > 0) {
        await pause(EDITOR_GRACE_MS);
        const { gone, back } = await stillGone(vanished);
        vanished = gone;
        outcome.back = back;
        doomed = [...(await entitiesAt(gone)), ...request.orphans];
      }
      if (!request.force) outcome.held = await checkGuard(doomed, request.rootEmpty);
      if (outcome.held) return outcome;
      const options = {
        now: () => isoTime(clock.now()),
        seenSeq: request.seenSeq,
        recycledFolders: new Set(request.recycledFolders),
      };
      for (let at = 0; at < Math.max(vanished.length, 1); at += CHUNK) {
        const orphans = at === 0 ? request.orphans : [];
        const chunk = vanished.slice(at, at + CHUNK);
        if (chunk.length + orphans.length === 0) break;
        outcome.deleted.push(...(await followDeletions(project, { vanished: chunk, orphans }, options)));
      }
      // Confirmed deletions no longer count towards the limit.
      if (request.force) guard.settle();
      else if (outcome.deleted.length > 0) guard.note(doomed.map(keyOf));
      return outcome;
    },
  };
}

/** If the storage does not respond, no file counts as deleted. */
function goneUnlessDown(error: unknown): undefined {
  if (error instanceof FilesError && error.code === 'io') throw error;
}

export type FollowDeletions = ReturnType<typeof createDeletions>;
