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

/** Folders of this machine as storage; null if there are none, as in the cloud. */
export interface LocalStorage {
  /** The default folder of a project's files. */
  folderOf(projectId: string): string;
  /** True if a folder holds internal files of the service, or is among them. */
  isTaken(path: string): Promise<boolean>;
}

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

/** Files per project by which a place is recognised as that of the content: most of them must be there. */
const RECOGNIZED_BY = 20;

/** The place of each tenant's files (spec 2 §2.5). */
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
        "The folder contains the service's own files or is inside their folder (DATA_DIR, CONTENT_DIR): choose a separate one",
        { code: 'folder_taken' },
      );
  }

  /** Updates the credentials of a running move's target. Throws 409 if the new settings name another place. */
  async function followMove(db: StorageDb, tenantId: string, wanted: BlobPlace | null): Promise<void> {
    const move = await findCurrentMove(db, tenantId);
    if (!move) return;
    const to = move.to_place === null ? null : sealed.open(move.to_place, tenantId, 'storage_moves');
    if (!isSameLocation(to, wanted))
      throw conflict(
        'The content is being moved to another storage: wait for that (GET /api/settings/storage/move), or cancel it (DELETE /api/settings/storage/move)',
        { code: 'storage_moving' },
      );
    const to_place = wanted && sealed.seal(wanted, tenantId, 'storage_moves');
    await updateMove(db, tenantId, move.move_id, { to_place });
  }

  /** True if a place has the content's files, for when the stored place was sealed under another key. */
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

  /** Applies new credentials if the content is at this place; a tenant without content gets the place as its own. */
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
    /** True if files can be stored. */
    isConfigured: async (tenantId: string): Promise<boolean> =>
      local !== null || (await find(tenantId)) !== undefined,

    /** The settings; null if there are none. 409 if they were sealed under another key. */
    async current(tenantId: string): Promise<StorageSettings | null> {
      const row = await find(tenantId);
      if (row === undefined) return null;
      const { revision, updated_at: updatedAt, updated_by: updatedBy } = row;
      const place = sealed.open(row.place, tenantId, 'storage_settings');
      return { place, revision, updatedAt, updatedBy };
    },

    /** Tests the storage and stores its settings, or throws 400 and keeps the former ones. Content stays where it is until it is moved. */
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
      await places.refresh(tenantId);
    },
  };
}

export type SettingsService = ReturnType<typeof createStorageSettings>;
