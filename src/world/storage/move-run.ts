import { isoTime } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { partsOf } from '../../kit/parts.ts';
import { unlessAborted } from '../../kit/unless-aborted.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import { PROJECT_FILES } from '../projects/index.ts';
import { ASIDE_ROOT } from '../texts/index.ts';
import { findContentRow, putContentRow } from './content-place.store.ts';
import { describeLeftOut, type LeftOut, together } from './copy-failures.ts';
import { type CopyOptions, copyRound, requireCopies } from './copy-round.ts';
import {
  countMoveFiles,
  findMoveFiles,
  followFile,
  forgetMoveFiles,
  knownPaths,
  putMoveFiles,
  removeMoveFiles,
  updateMove,
} from './moves.store.ts';
import type { Move, MovesOptions } from './moves.ts';
import { projectsOf } from './storage.store.ts';
import type { StorageDb, StorageMoveFileRow } from './storage.tables.ts';
import type { CopiedFile, StoredContent } from './stored-content.ts';

/** Copy rounds while files are in use; the last one, which blocks changes, should find little. */
const MOST_ROUNDS = 5;
const FEW_CHANGES = 50;
const NOTES = 50;
const CHUNK = 200;

/** Copies a tenant's content to its new place and switches to it; an earlier run's copies are not copied again. */
export function createMoveRun({
  database,
  places,
  sealed,
  contentAt,
  clock,
}: Omit<MovesOptions, 'log' | 'settings'>) {
  return async function run(move: Move, tenantId: string, signal: AbortSignal): Promise<void> {
    const tenant = database.tenant(tenantId);
    const projects = () => tenant.read((db: StorageDb) => projectsOf(db, tenantId));
    const copies = new Map<string, Awaited<ReturnType<typeof copyOf>>>();

    /** Work that waits for an unreachable storage does not delay the end of the process. */
    const unlessOver = <Result>(work: Promise<Result>): Promise<Result> => unlessAborted(signal, work);

    async function note(changes: Parameters<typeof updateMove>[3]): Promise<void> {
      const isGoing = await tenant.write((db: StorageDb) => updateMove(db, tenantId, move.move_id, changes));
      signal.throwIfAborted();
      if (!isGoing) throw conflict('The move was cancelled', { code: 'move_ended' });
    }

    async function copyOf(projectId: string) {
      const [from, to] = await Promise.all([
        contentAt(tenantId, projectId, move.from),
        contentAt(tenantId, projectId, move.to),
      ]);
      await unlessOver(to.establish());
      const copied: Map<string, CopiedFile> = await tenant.read((db: StorageDb) =>
        findMoveFiles(db, tenantId, projectId),
      );
      const rowOf = (file: CopiedFile) => ({ ...file, tenant_id: tenantId, project_id: projectId });
      let waiting: StorageMoveFileRow[] = [];
      const flush = async (): Promise<void> => {
        const rows = waiting;
        waiting = [];
        if (rows.length > 0) await tenant.write((db: StorageDb) => putMoveFiles(db, tenant.dialect, rows));
        await noteProgress();
      };
      const options: Omit<CopyOptions, 'expected'> = {
        from,
        to,
        copied,
        asideFolder: `${ASIDE_ROOT}/${move.move_id}`,
        async noteBegun(files) {
          for (const part of partsOf(files, CHUNK))
            await tenant.write((db: StorageDb) => putMoveFiles(db, tenant.dialect, part.map(rowOf)));
        },
        async noteCopied(file) {
          waiting.push(rowOf(file));
          if (waiting.length >= NOTES) await flush();
        },
        async noteGone(paths) {
          for (const part of partsOf(paths, CHUNK))
            await tenant.write((db: StorageDb) => removeMoveFiles(db, tenantId, projectId, part));
        },
        checkpoint: async () => signal.throwIfAborted(),
      };
      return { options, copied, flush };
    }

    let filesDone = move.files_done;
    /** A problem is over once another file is copied, not when it is merely tried again. */
    async function noteProgress(): Promise<void> {
      const { files, bytes } = await tenant.read((db: StorageDb) => countMoveFiles(db, tenantId));
      const isFurther = files > filesDone;
      filesDone = files;
      await note({ files_done: files, bytes_done: bytes, ...(isFurther && { problem: null }) });
    }

    /** Resolves to the number of changed files at the new place; throws if some could not be copied. */
    async function round(projectIds: readonly string[]): Promise<number> {
      let changes = 0;
      const leftOut: LeftOut[] = [];
      for (const projectId of projectIds) {
        const copy = copies.get(projectId) ?? (await copyOf(projectId));
        copies.set(projectId, copy);
        const expected = await tenant.read((db: StorageDb) => knownPaths(db, tenantId, projectId));
        const copying = await unlessOver(copyRound({ ...copy.options, expected })).finally(copy.flush);
        changes += copying.changes;
        leftOut.push(copying.leftOut);
      }
      const problem = describeLeftOut(together(leftOut));
      if (problem !== null) throw conflict(problem, { code: 'files_left_out' });
      return changes;
    }

    async function noteTotals(projectIds: readonly string[]): Promise<void> {
      let [files_total, bytes_total] = [0, 0];
      for (const projectId of projectIds) {
        const from = await contentAt(tenantId, projectId, move.from);
        const { files } = await unlessOver(from.walk());
        files_total += files.length;
        bytes_total += files.reduce((sum, { size }) => sum + size, 0);
      }
      await note({ files_total, bytes_total });
    }

    /** Blocks syncs meanwhile: one would see the old place and the new one at once. */
    async function withoutSyncs(projectIds: readonly string[], work: () => Promise<void>): Promise<void> {
      const [first, ...rest] = projectIds;
      if (first === undefined) return work();
      await tenant.exclusive(`sync ${first}`, () => withoutSyncs(rest, work));
    }

    async function arrive(): Promise<void> {
      await tenant.write(async (db: StorageDb) => {
        const row = await findContentRow(db, tenantId);
        if (!row || row.frozen_until <= clock.now())
          throw conflict('The last round took too long: it is tried again', { code: 'too_slow' });
        const finished = { status: 'done' as const, problem: null, finished_at: isoTime(clock.now()) };
        if (!(await updateMove(db, tenantId, move.move_id, finished)))
          throw conflict('The move was cancelled', { code: 'move_ended' });
        await putContentRow(db, {
          tenant_id: tenantId,
          revision: newId(),
          place: move.to && sealed.seal(move.to, tenantId, 'storage_content'),
          frozen_until: 0,
        });
      });
    }

    async function followFiles(): Promise<void> {
      for (const [projectId, { copied }] of copies) {
        for (const rows of partsOf([...copied.values()], CHUNK))
          await tenant.write(async (db: StorageDb) => {
            for (const row of rows)
              await followFile(db, { ...row, tenant_id: tenantId, project_id: projectId });
          });
      }
      await tenant.write((db: StorageDb) => forgetMoveFiles(db, tenantId));
    }

    async function lastRound(projectIds: readonly string[]): Promise<void> {
      let hasArrived = false;
      try {
        await places.freeze(tenantId);
        if ((await projects()).join() !== projectIds.join())
          throw conflict('A project was made meanwhile: it is tried again', { code: 'another_project' });
        await round(projectIds);
        await places.keepFrozen(tenantId);
        for (const { options } of copies.values()) {
          await unlessOver(copyProjectFiles(options));
          await unlessOver(requireCopies(options));
        }
        await arrive();
        hasArrived = true;
      } finally {
        if (!hasArrived) await places.unfreeze(tenantId);
      }
      await places.refresh(tenantId);
      await followFiles();
    }

    signal.throwIfAborted();
    const projectIds = await projects();
    await noteTotals(projectIds);
    for (let count = 1; (await round(projectIds)) > FEW_CHANGES && count < MOST_ROUNDS; count += 1);
    await withoutSyncs(projectIds, () => lastRound(projectIds));
  };
}

async function copyProjectFiles({ from, to }: Record<'from' | 'to', StoredContent>): Promise<void> {
  for (const path of PROJECT_FILES) {
    const bytes = await from.files.read(path).catch(ifGone);
    if (bytes) await to.files.write(path, bytes);
  }
}
