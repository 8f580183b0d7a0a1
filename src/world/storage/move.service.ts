import { setTimeout as sleep } from 'node:timers/promises';
import { isoTime } from '../../kit/clock.ts';
import { conflict, messageOf, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { BlobPlace } from '../../platform/blobs/blobs.ts';
import { createMoveRun } from './move-run.ts';
import {
  findCurrentMove,
  findLastMove,
  forgetMoveFiles,
  insertMove,
  tenantsMoving,
  updateMove,
} from './moves.store.ts';
import type { Move, MovesOptions } from './moves.ts';
import { isSameLocation } from './sealed-place.ts';
import type { StorageDb, StorageMoveRow } from './storage.tables.ts';

/** Milliseconds between searches for abandoned moves, such as those of a crashed process. */
const LOOK_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Milliseconds between checks of a waiting move that it is still current. */
const STILL_MS = 1_000;

export function createMoves(options: MovesOptions) {
  const { database, settings, places, sealed, clock, log, firstPauseMs = FIRST_PAUSE_MS } = options;
  const run = createMoveRun(options);
  const stopping = new AbortController();
  const working = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const placeOf = (text: string | null, tenantId: string): BlobPlace | null =>
    text === null ? null : sealed.open(text, tenantId, 'storage_moves');

  function presented({ tenant_id, from_place, to_place, ...row }: StorageMoveRow): Move {
    return { ...row, from: placeOf(from_place, tenant_id), to: placeOf(to_place, tenant_id) };
  }

  const current = (tenantId: string) =>
    database.tenant(tenantId).read((db: StorageDb) => findCurrentMove(db, tenantId));

  /** Waits, but not beyond the end of the move, so that another one can begin at once. */
  async function pauseWithin(tenantId: string, moveId: string, ms: number): Promise<void> {
    const { signal } = stopping;
    for (let left = ms; left > 0 && !signal.aborted; left -= STILL_MS) {
      await sleep(Math.min(left, STILL_MS), undefined, { signal }).catch(() => undefined);
      const isStill = await current(tenantId).then(
        (row) => row?.move_id === moveId,
        () => true,
      );
      if (!isStill) return;
    }
  }

  /** Retries until the move is over, whatever fails. */
  async function finish(tenantId: string): Promise<void> {
    let pause = firstPauseMs;
    let stoodAt = '';
    while (!stopping.signal.aborted) {
      const row = await current(tenantId);
      if (!row) return;
      const standsAt = `${row.move_id} ${row.files_done}`;
      if (standsAt !== stoodAt) pause = firstPauseMs;
      stoodAt = standsAt;
      try {
        await run(presented(row), tenantId, stopping.signal);
        log.info(`the content of ${tenantId} is at its new place; the old one is as it was`);
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const problem = messageOf(error);
        log.warn(`content on its way to another storage: ${problem}; it goes on in ${pause / 1000} s`);
        await database
          .tenant(tenantId)
          .write((db: StorageDb) => updateMove(db, tenantId, row.move_id, { problem }));
        await pauseWithin(tenantId, row.move_id, pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  /** One process works on a tenant's move; if it ends, another one takes over. */
  function work(tenantId: string): void {
    if (working.has(tenantId) || stopping.signal.aborted) return;
    const done = database
      .tenant(tenantId)
      .ifFree(
        'storage move',
        () => finish(tenantId),
        async () => {},
      )
      .catch((error: unknown) => log.warn(`a move of content waits: ${messageOf(error)}`))
      .finally(() => working.delete(tenantId));
    working.set(tenantId, done);
  }

  async function lookForWork(): Promise<void> {
    const tenants = await database.system.read(tenantsMoving).catch(() => []);
    for (const tenantId of tenants) work(tenantId);
  }

  /** Undefined if nothing was ever moved. */
  async function known(tenantId: string): Promise<Move | undefined> {
    const row = await database.tenant(tenantId).read((db: StorageDb) => findLastMove(db, tenantId));
    return row && presented(row);
  }

  async function last(tenantId: string): Promise<Move> {
    const move = await known(tenantId);
    if (move) return move;
    throw notFound('Nothing has been moved yet: PUT /api/settings/storage sets where the content should go', {
      code: 'no_such_move',
    });
  }

  return {
    known,
    last,

    /** Moves the content to the configured storage. Returns a running move as it is. */
    async start(tenantId: string, actor: string): Promise<Move> {
      const to = (await settings.current(tenantId))?.place ?? null;
      const { place: from } = await places.of(tenantId);
      const row: StorageMoveRow = {
        tenant_id: tenantId,
        move_id: newId(),
        status: 'copying',
        from_place: from && sealed.seal(from, tenantId, 'storage_moves'),
        to_place: to && sealed.seal(to, tenantId, 'storage_moves'),
        files_total: 0,
        files_done: 0,
        bytes_total: 0,
        bytes_done: 0,
        problem: null,
        started_at: isoTime(clock.now()),
        finished_at: null,
        started_by: actor,
      };
      const isThere = isSameLocation(from, to);
      await database.tenant(tenantId).exclusive('storage move start', () =>
        database.tenant(tenantId).write(async (db: StorageDb) => {
          if (await findCurrentMove(db, tenantId)) return;
          if (isThere)
            throw conflict(
              'The content is in the storage that is set: PUT /api/settings/storage sets another one',
              {
                code: 'content_is_there',
              },
            );
          await forgetMoveFiles(db, tenantId);
          await insertMove(db, row);
        }),
      );
      work(tenantId);
      return last(tenantId);
    },

    /** Cancels a move before its content arrives; copies stay at the new place, unused. */
    async cancel(tenantId: string): Promise<Move> {
      const move = await last(tenantId);
      const ended = { status: 'cancelled' as const, finished_at: isoTime(clock.now()) };
      const isEnded = await database.tenant(tenantId).write(async (db: StorageDb) => {
        const was = await updateMove(db, tenantId, move.move_id, ended);
        if (was) await forgetMoveFiles(db, tenantId);
        return was;
      });
      if (!isEnded) throw conflict('No move is in progress: there is nothing to cancel', { code: 'no_move' });
      return last(tenantId);
    },

    async begin(): Promise<void> {
      timer = setInterval(() => void lookForWork(), LOOK_MS).unref();
      await lookForWork();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(working.values());
    },
  };
}

export type Moves = ReturnType<typeof createMoves>;
