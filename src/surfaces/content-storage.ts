import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import { DEFAULT_PROJECT } from '../kit/contract.ts';
import { createLastUsed } from '../kit/last-used.ts';
import type { SecretBox } from '../kit/secret-box.ts';
import { BLOB_LIMITS, type BlobPlace, type BlobStore } from '../platform/blobs/blobs.ts';
import { prefixed } from '../platform/blobs/prefixed.ts';
import type { Database } from '../platform/database/database.ts';
import { explainedBy } from '../platform/files/adapters/blob-errors.ts';
import { createBlobFiles } from '../platform/files/adapters/blob-files.ts';
import { createBlobScanner } from '../platform/files/adapters/blob-scanner.ts';
import { createLocalFiles } from '../platform/files/adapters/local-files.ts';
import { createLocalScanner } from '../platform/files/adapters/local-scanner.ts';
import { type FileStore, FilesError, type ScanBatch } from '../platform/files/files.ts';
import { ifGone } from '../platform/files/if-gone.ts';
import { createSwitchingFiles } from '../platform/files/switching-files.ts';
import type { Beginning, ProjectFolders } from '../world/projects/index.ts';
import {
  type ContentPlace,
  createContentPlaces,
  createSealedPlaces,
  type StoredContent,
} from '../world/storage/index.ts';
import { privateEndpointsOf } from './blobs.ts';
import { projectIdsIn } from './folders.ts';
import { openBlobs } from './open-blobs.ts';
import { fillContentFolder } from './starter.ts';

export interface LocalFolders extends ProjectFolders {
  rootOf(tenantId: string, projectId: string): string;
}

export interface ContentStorageOptions {
  database: Database;
  clock: Clock;
  config: Pick<Config, 'deployment' | 'allowPrivateEndpoints'>;
  box: SecretBox;
  folders: LocalFolders;
}

/** Blob stores that are kept open; the connections of a dropped one close when they become idle. */
const MOST_OPEN = 500;
/** Exists while a project is being filled, so that after a crash it does not count as complete. */
const FILLING = '.canonry/filling';
/** Marks a project that may not have any files yet. */
const PROJECT = '.canonry/project';

/** The files of projects, in the installation's folder or wherever their tenant's content is. */
export function createContentStorage({ database, clock, config, box, folders }: ContentStorageOptions) {
  const sealed = createSealedPlaces(box);
  const places = createContentPlaces({ database, sealed, clock });
  const privateEndpoints = privateEndpointsOf(config);
  const stores = createLastUsed<Promise<BlobStore>>({ most: MOST_OPEN });

  function storeOf(place: BlobPlace): Promise<BlobStore> {
    const key = JSON.stringify(place);
    const known = stores.get(key);
    if (known) return known;
    const opening = openBlobs(place, BLOB_LIMITS, privateEndpoints);
    stores.set(key, opening);
    opening.catch(() => stores.delete(key));
    return opening;
  }

  const prefixOf = (tenantId: string, projectId: string): string => `${tenantId}/${projectId}/`;
  const blobsOf = async (place: BlobPlace, tenantId: string, projectId: string): Promise<BlobStore> =>
    prefixed(await storeOf(place), prefixOf(tenantId, projectId));

  const rootAt = (place: BlobPlace | null, tenantId: string, projectId: string): string | null => {
    if (place === null) return folders.rootOf(tenantId, projectId);
    return place.provider === 'local' ? join(place.path, tenantId, projectId) : null;
  };

  async function filesAt(place: BlobPlace | null, tenantId: string, projectId: string): Promise<FileStore> {
    const root = rootAt(place, tenantId, projectId);
    if (root !== null || place === null) return createLocalFiles({ root: root ?? '' });
    return createBlobFiles({
      blobs: await blobsOf(place, tenantId, projectId),
      description: { kind: 'blob', place, prefix: prefixOf(tenantId, projectId), privateEndpoints },
    });
  }

  /** Returns a file store that looks up the current storage at each call. */
  function switching(tenantId: string, projectId: string): FileStore {
    let opened: { revision: string; files: Promise<FileStore> } | null = null;
    const at = ({ place, revision }: ContentPlace): Promise<FileStore> => {
      if (opened?.revision !== revision) {
        const files = filesAt(place, tenantId, projectId);
        opened = { revision, files };
        files.catch(() => {
          opened = null;
        });
      }
      return opened.files;
    };
    return createSwitchingFiles({
      current: async () => at(await places.of(tenantId)),
      change: (work) => places.change(tenantId, async (place) => work(await at(place))),
    });
  }

  async function isFilled(place: BlobPlace, tenantId: string, projectId: string): Promise<boolean> {
    const root = rootAt(place, tenantId, projectId);
    if (root !== null) return createLocalFiles({ root }).probe().then(yes, no);
    const blobs = await blobsOf(place, tenantId, projectId);
    if ((await blobs.stat(FILLING)) !== null) return false;
    return (await blobs.list({ prefix: '', limit: 1 })).blobs.length > 0;
  }

  async function exists(place: BlobPlace, tenantId: string, projectId: string): Promise<boolean> {
    // The default project of a self-hosted core opens with the core, even while its storage does not answer.
    if (projectId === DEFAULT_PROJECT && !folders.makesDefault) return true;
    return isFilled(place, tenantId, projectId);
  }

  /** Makes the project exist; content that is already there stays. */
  async function establish(place: BlobPlace | null, tenantId: string, projectId: string): Promise<void> {
    const root = rootAt(place, tenantId, projectId);
    if (root === null && place !== null) {
      await (await blobsOf(place, tenantId, projectId)).put(PROJECT, new Uint8Array());
      return;
    }
    await requireFolder(place);
    await mkdir(root ?? '', { recursive: true });
  }

  async function fill(
    place: BlobPlace,
    tenantId: string,
    projectId: string,
    content: { sample: boolean },
  ): Promise<void> {
    const root = rootAt(place, tenantId, projectId);
    if (root !== null) {
      await requireFolder(place);
      await fillContentFolder(root, content);
      return;
    }
    const files = await filesAt(place, tenantId, projectId);
    const staging = await mkdtemp(join(tmpdir(), 'canonry-new-project-'));
    try {
      const starter = join(staging, 'content');
      await fillContentFolder(starter, content);
      const local = createLocalFiles({ root: starter });
      await files.write(FILLING, '');
      for (const batch of createLocalScanner({ root: starter }).scan())
        for (const { path } of batch.files) await files.write(path, await local.read(path));
      await files.remove(FILLING);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  const projectFolders: ProjectFolders = {
    makesDefault: folders.makesDefault,
    async open(tenantId, projectId) {
      const { place } = await places.of(tenantId);
      const isThere =
        place === null
          ? (await folders.open(tenantId, projectId)) !== null
          : await exists(place, tenantId, projectId);
      return isThere ? switching(tenantId, projectId) : null;
    },
    async list(tenantId) {
      const { place } = await places.of(tenantId);
      if (place === null) return folders.list(tenantId);
      return place.provider === 'local' ? projectIdsIn(join(place.path, tenantId)) : null;
    },
    async create(tenantId, projectId, beginning: Beginning) {
      await places.change(tenantId, async ({ place }) => {
        if (place === null) await folders.create(tenantId, projectId, beginning);
        else if (beginning === 'empty') await establish(place, tenantId, projectId);
        else await fill(place, tenantId, projectId, { sample: beginning === 'sample' });
      });
      return switching(tenantId, projectId);
    },
  };

  return {
    sealed,
    places,
    folders: projectFolders,
    async contentAt(tenantId: string, projectId: string, place: BlobPlace | null): Promise<StoredContent> {
      const root = rootAt(place, tenantId, projectId);
      const files = await filesAt(place, tenantId, projectId);
      const content = { files, establish: () => establish(place, tenantId, projectId) };
      if (root !== null || place === null)
        return {
          ...content,
          walk: () => walkFolder(root ?? ''),
          discard: (path) => files.remove(path).catch(ifGone),
        };
      const blobs = await blobsOf(place, tenantId, projectId);
      return {
        ...content,
        walk: () => createBlobScanner({ open: async () => blobs }).list(),
        discard: (path) => explainedBy('remove', path, () => blobs.delete(path)),
      };
    },
    async close(): Promise<void> {
      const opened = await Promise.allSettled(stores.values());
      for (const each of opened) if (each.status === 'fulfilled') await each.value.close();
    },
  };
}

export type ContentStorage = ReturnType<typeof createContentStorage>;

const yes = () => true;
const no = () => false;

/** A folder named in the settings is not created: if it is missing, its disk is not mounted. */
async function requireFolder(place: BlobPlace | null): Promise<void> {
  if (place?.provider !== 'local') return;
  const isThere = await stat(place.path).then((stats) => stats.isDirectory(), no);
  if (!isThere) throw new FilesError('root_missing', '', 'The folder of the storage is not there');
}

async function walkFolder(root: string): Promise<ScanBatch> {
  const whole: ScanBatch = { files: [], skipped: [] };
  for (const { files, skipped } of createLocalScanner({ root }).scan()) {
    for (const file of files) whole.files.push(file);
    for (const entry of skipped) whole.skipped.push(entry);
    await turn();
  }
  return whole;
}
