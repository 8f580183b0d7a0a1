import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kit/clock.ts';
import { messageOf, unavailable } from '../../kit/errors.ts';
import { createLastUsed } from '../../kit/last-used.ts';
import type { BlobPlace } from '../../platform/blobs/blobs.ts';
import { type Database, DatabaseError } from '../../platform/database/database.ts';
import { FilesError } from '../../platform/files/files.ts';
import { findContentRow, freezeContent } from './content-place.store.ts';
import { isSameLocation, type SealedPlaces } from './sealed-place.ts';

export interface ContentPlace {
  /** Null for the installation's own folder. */
  place: BlobPlace | null;
  /** Changes with each change of the place. */
  revision: string;
}

export interface ContentPlacesOptions {
  database: Database;
  sealed: SealedPlaces;
  clock: Clock;
}

/** Milliseconds after which a process reads the place again. */
const FRESH_MS = 1_000;
/** Milliseconds beyond `FRESH_MS` after which every process has seen a block of changes. */
const MARGIN_MS = 500;
/** Milliseconds after which a block ends unless it is prolonged, in case its owner crashed. */
const FROZEN_MS = 20_000;
const LOOK_AGAIN_MS = 50;
/** Milliseconds for which a change of files waits for the end of a block. */
const LONGEST_WAIT_MS = 15_000;

/** Tenants that are cached, in addition to those in use. */
const MOST_KNOWN = 5_000;
const IDLE_MS = 60_000;

const UNMOVED = 'unmoved';

interface Known {
  at: ContentPlace;
  frozenUntil: number;
  readAt: number;
  changes: number;
  /** True if this process holds the block: it waits for its own changes and copies their results. */
  isFreezing: boolean;
  reading: Promise<void> | null;
}

const isIdle = ({ changes, isFreezing, reading, readAt }: Known): boolean =>
  changes === 0 && !isFreezing && reading === null && performance.now() - readAt > IDLE_MS;

/** Knows the place of each tenant's content in every process, and blocks changes while it moves. */
export function createContentPlaces({ database, sealed, clock }: ContentPlacesOptions) {
  const tenants = createLastUsed<Known>({ most: MOST_KNOWN, mayGo: isIdle });
  const listeners = new Map<string, Set<() => void>>();

  function knownOf(tenantId: string): Known {
    const known = tenants.get(tenantId);
    if (known) return known;
    const made: Known = {
      at: { place: null, revision: '' },
      frozenUntil: 0,
      readAt: Number.NEGATIVE_INFINITY,
      changes: 0,
      isFreezing: false,
      reading: null,
    };
    tenants.set(tenantId, made);
    return made;
  }

  async function read(tenantId: string, known: Known): Promise<void> {
    const readAt = performance.now();
    const row = await database
      .tenant(tenantId)
      .read((db: Parameters<typeof findContentRow>[0]) => findContentRow(db, tenantId));
    const revision = row?.revision ?? UNMOVED;
    const before = known.at.revision;
    if (revision !== before) {
      const place = row?.place ? sealed.open(row.place, tenantId, 'storage_content') : null;
      known.at = { place, revision };
    }
    known.frozenUntil = row?.frozen_until ?? 0;
    known.readAt = readAt;
    if (before !== '' && revision !== before)
      for (const listener of listeners.get(tenantId) ?? []) listener();
  }

  async function reread(tenantId: string): Promise<Known> {
    const known = knownOf(tenantId);
    known.reading ??= read(tenantId, known).finally(() => {
      known.reading = null;
    });
    await known.reading;
    return known;
  }

  /** Reads the place again: a running read may have begun too early. */
  async function refresh(tenantId: string): Promise<void> {
    await knownOf(tenantId).reading?.catch(() => undefined);
    await reread(tenantId);
  }

  const isFresh = ({ readAt }: Known): boolean => performance.now() - readAt < FRESH_MS;

  async function fresh(tenantId: string): Promise<Known> {
    const known = knownOf(tenantId);
    return isFresh(known) ? known : reread(tenantId);
  }

  async function of(tenantId: string): Promise<ContentPlace> {
    const known = knownOf(tenantId);
    if (isFresh(known)) return known.at;
    try {
      return (await reread(tenantId)).at;
    } catch (error) {
      // A reader that uses the old place a moment too long finds the files unchanged.
      if (error instanceof DatabaseError && known.at.revision !== '') return known.at;
      throw error;
    }
  }

  /** Resolves to a fresh place once no block is in force. */
  async function openForChange(tenantId: string): Promise<Known> {
    const giveUpAt = performance.now() + LONGEST_WAIT_MS;
    for (;;) {
      const known = await fresh(tenantId).catch((error: unknown) => {
        throw new FilesError('io', '', messageOf(error), { cause: error });
      });
      if (known.frozenUntil <= clock.now()) return known;
      if (performance.now() > giveUpAt)
        throw new FilesError('io', '', 'The content is being moved to another storage: try again soon');
      await sleep(LOOK_AGAIN_MS);
      known.readAt = Number.NEGATIVE_INFINITY;
    }
  }

  /** Throws if the content moved during a change that was too slow for the moving process to wait. */
  async function requireUnmoved(tenantId: string, before: ContentPlace): Promise<void> {
    const { at } = await openForChange(tenantId);
    if (at.revision === before.revision || isSameLocation(at.place, before.place)) return;
    throw new FilesError('io', '', 'The content went to another storage meanwhile: try again');
  }

  async function freezeUntil(tenantId: string, until: number): Promise<void> {
    const { revision } = (await fresh(tenantId)).at;
    await freezeContent(database.tenant(tenantId), revision, until);
    await refresh(tenantId);
  }

  return {
    of,
    /** Runs a change of files, which stay in place until it is over. */
    async change<Result>(tenantId: string, work: (at: ContentPlace) => Promise<Result>): Promise<Result> {
      const known = await openForChange(tenantId);
      const { at } = known;
      let isTakenAlong = false;
      known.changes += 1;
      let result: Result;
      try {
        result = await work(at);
      } finally {
        isTakenAlong = known.isFreezing;
        known.changes -= 1;
      }
      if (!isTakenAlong) await requireUnmoved(tenantId, at);
      return result;
    },
    /** Calls back when this process notices that the content has moved; returns a function that ends this. */
    onMoved(tenantId: string, listener: () => void): () => void {
      const all = listeners.get(tenantId) ?? new Set();
      listeners.set(tenantId, all.add(listener));
      return () => {
        all.delete(listener);
        if (all.size === 0 && listeners.get(tenantId) === all) listeners.delete(tenantId);
      };
    },
    /** Resolves once no process changes files; the caller prolongs and ends the block. */
    async freeze(tenantId: string): Promise<void> {
      const known = knownOf(tenantId);
      known.isFreezing = true;
      try {
        await freezeUntil(tenantId, clock.now() + FROZEN_MS);
        // The time starts here: until the block was stored, other processes may have read that there is none.
        const frozenAt = performance.now();
        for (;;) {
          const waited = performance.now() - frozenAt;
          if (known.changes === 0 && waited > FRESH_MS + MARGIN_MS) return;
          if (waited > FROZEN_MS / 2)
            throw unavailable('Files are being changed without a pause: it is tried again');
          await sleep(LOOK_AGAIN_MS);
        }
      } finally {
        known.isFreezing = false;
      }
    },
    keepFrozen: (tenantId: string) => freezeUntil(tenantId, clock.now() + FROZEN_MS),
    unfreeze: (tenantId: string) => freezeUntil(tenantId, 0),
    /** Makes this process use its own change at once. */
    refresh,
  };
}

export type ContentPlaces = ReturnType<typeof createContentPlaces>;
