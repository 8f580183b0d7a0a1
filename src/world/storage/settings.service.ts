import { type Clock, isoTime } from '../../kit/clock.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { badRequest, conflict } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { BlobPlace } from '../../platform/blobs/blobs.ts';
import type { Database } from '../../platform/database/database.ts';
import { findContentRow, putContentRow } from './content-place.store.ts';
import type { ContentPlaces } from './content-places.ts';
import { findCurrentMove, knownPaths, updateMove } from './moves.store.ts';
import { type ProbeOptions, probeStorage } from './probe.ts';
import { isSameLocation, type SealedPlaces } from './sealed-place.ts';
import { findSettings, projectsOf, putSettings, removeSettings } from './storage.store.ts';
import type { StorageDb } from './storage.tables.ts';
import { placesOf, type StorageBody } from './storage-body.ts';
import type { StoredContent } from './stored-content.ts';

/** Folders of this machine as storage; null in the place of it: there are none, as in the cloud. */
export interface LocalStorage {
  /** Where the files of a project are while nothing was set. */
  folderOf(projectId: string): string;
  /** Whether a folder holds what the service keeps for itself, or lies in it. */
  isTaken(path: string): Promise<boolean>;
}

/** What was set, and by whom. */
export interface StorageSettings {
  place: BlobPlace;
  revision: string;
  updatedAt: string;
  updatedBy: string;
}

export interface StorageSettingsOptions {
  database: Database;
  sealed: SealedPlaces;
  places: ContentPlaces;
  contentAt(tenantId: string, projectId: string, place: BlobPlace): Promise<Pick<StoredContent, 'files'>>;
  clock: Clock;
  local: LocalStorage | null;
  probe: ProbeOptions;
}

/** Files of each project by which a place is told to be that of the content: most of them have to be there. */
const RECOGNIZED_BY = 20;

/** Where each tenant's files are stored (spec 2 §2.5). */
export function createStorageSettings(options: StorageSettingsOptions) {
  const { database, sealed, places, contentAt, clock, local, probe } = options;
  const isDefault = (place: BlobPlace): boolean =>
    place.provider === 'local' && place.path === local?.folderOf(DEFAULT_PROJECT);
  const find = (tenantId: string) =>
    database.tenant(tenantId).read((db: StorageDb) => findSettings(db, tenantId));

  /** Throws 400 for a folder that cannot be storage. */
  async function checkFolder(place: BlobPlace): Promise<void> {
    if (place.provider !== 'local') return;
    if (local === null)
      throw badRequest('Storage in a folder is for self-hosted services: choose s3 or azure', {
        code: 'no_local_storage',
      });
    if (!isDefault(place) && (await local.isTaken(place.path)))
      throw badRequest(
        'The folder holds what the service keeps there itself, or lies in it (DATA_DIR, CONTENT_DIR): choose one of its own',
        { code: 'folder_taken' },
      );
  }

  /** What is on its way arrives where it was sent; new credentials for that place reach it. */
  async function followMove(db: StorageDb, tenantId: string, wanted: BlobPlace | null): Promise<void> {
    const move = await findCurrentMove(db, tenantId);
    if (!move) return;
    const to = move.to_place === null ? null : sealed.open(move.to_place, tenantId, 'storage_moves');
    if (!isSameLocation(to, wanted))
      throw conflict(
        'The content is on its way to another storage: wait for it (GET /api/settings/storage/move), or end that (DELETE /api/settings/storage/move)',
        { code: 'storage_moving' },
      );
    const to_place = wanted && sealed.seal(wanted, tenantId, 'storage_moves');
    await updateMove(db, tenantId, move.move_id, { to_place });
  }

  /** Whether a place can be told to be that of the content by its files, where what says so was sealed under another key. */
  async function isRecognized(tenantId: string, wanted: BlobPlace | null): Promise<boolean> {
    const read = database.tenant(tenantId).read;
    const row = await read((db: StorageDb) => findContentRow(db, tenantId));
    if (wanted === null || !row?.place || sealed.isReadable(row.place, tenantId, 'storage_content'))
      return false;
    let [found, looked] = [0, 0];
    for (const projectId of await read((db: StorageDb) => projectsOf(db, tenantId))) {
      const { files } = await contentAt(tenantId, projectId, wanted);
      const paths = await read((db: StorageDb) => knownPaths(db, tenantId, projectId));
      for (const path of paths.slice(0, RECOGNIZED_BY)) {
        looked += 1;
        if ((await files.stat(path)) !== undefined) found += 1;
      }
    }
    return found > looked / 2;
  }

  /** New credentials reach content that is at the place; where there is none yet, its place is the one that was set. */
  async function followContent(
    db: StorageDb,
    tenantId: string,
    wanted: BlobPlace | null,
    isKnownThere: boolean,
  ): Promise<void> {
    const row = await findContentRow(db, tenantId);
    const presentPlace = () => (row?.place ? sealed.open(row.place, tenantId, 'storage_content') : null);
    const isThere = isKnownThere || isSameLocation(presentPlace(), wanted);
    const isFirst = !isThere && (await projectsOf(db, tenantId)).length === 0;
    if ((!isThere || wanted === null) && !isFirst) return;
    await putContentRow(db, {
      tenant_id: tenantId,
      revision: newId(),
      place: wanted && sealed.seal(wanted, tenantId, 'storage_content'),
      frozen_until: row?.frozen_until ?? 0,
    });
  }

  return {
    /** Whether files can be stored. */
    isConfigured: async (tenantId: string): Promise<boolean> =>
      local !== null || (await find(tenantId)) !== undefined,

    /** What was set; null: nothing. 409 when it was sealed under another key. */
    async current(tenantId: string): Promise<StorageSettings | null> {
      const row = await find(tenantId);
      if (row === undefined) return null;
      const { revision, updated_at: updatedAt, updated_by: updatedBy } = row;
      const place = sealed.open(row.place, tenantId, 'storage_settings');
      return { place, revision, updatedAt, updatedBy };
    },

    /**
     * Tries the storage out and keeps its settings, or throws 400 and keeps what was set before. Content that is
     * elsewhere stays there until it is moved.
     */
    async change(tenantId: string, body: StorageBody, actor: string): Promise<void> {
      const candidates = placesOf(body);
      for (const place of candidates) await checkFolder(place);
      const place = await probeStorage(candidates, probe);
      const wanted = isDefault(place) ? null : place;
      const isKnownThere = await isRecognized(tenantId, wanted);
      await database.tenant(tenantId).write(async (db: StorageDb) => {
        await followMove(db, tenantId, wanted);
        await followContent(db, tenantId, wanted, isKnownThere);
        if (wanted === null) return removeSettings(db, tenantId);
        return putSettings(db, {
          tenant_id: tenantId,
          revision: newId(),
          provider: wanted.provider,
          place: sealed.seal(wanted, tenantId, 'storage_settings'),
          updated_at: isoTime(clock.now()),
          updated_by: actor,
        });
      });
      await places.learn(tenantId);
    },
  };
}

export type SettingsService = ReturnType<typeof createStorageSettings>;
