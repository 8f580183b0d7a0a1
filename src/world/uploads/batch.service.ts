import { type Clock, isoTime } from '../../kit/clock.ts';
import { HttpError, invalid, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { callerOf } from '../../kit/principal.ts';
import type { RouteRequest } from '../../kit/route.ts';
import type { BlobStore } from '../../platform/blobs/blobs.ts';
import { type Assets, type Uploads, uploadOf } from '../assets/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import type { Stores } from '../storage/index.ts';
import { MOST_OPEN_BATCHES, putBatchBytes } from './batch.contract.ts';
import type { Batch, BatchFile } from './batch.ts';
import { BATCH_KEPT_MS, type BatchObjects } from './batch-objects.ts';
import type { KeptFolders } from './kept-folders.ts';
import { storeIfSet } from './store-if-set.ts';

type UploadRequest = Omit<RouteRequest, 'params' | 'query' | 'body'>;

export interface BatchesOptions {
  projects: Projects;
  assets: Assets;
  uploads: Uploads;
  stores: Stores;
  folders: KeptFolders<Batch>;
  objects: BatchObjects;
  clock: Clock;
}

/** Uploads many files at once, directly to object storage if there is one: announced, sent, verified, made assets. */
export function createBatches(options: BatchesOptions) {
  const { projects, assets, uploads, stores, folders, objects, clock } = options;
  async function mine(request: UploadRequest, id: string): Promise<Batch> {
    const batch = await folders.find(id);
    const isMine =
      batch?.tenantId === request.tenantId &&
      batch.projectId === request.projectId &&
      batch.userId === callerOf(request).userId;
    if (batch === undefined || !isMine)
      throw notFound('There is no such batch of yours: begin a new one', { code: 'no_such_batch' });
    if (folders.expiresAt(batch) < clock.now())
      throw new HttpError(410, 'The batch has expired: begin a new one', { code: 'expired' });
    return batch;
  }

  const storeOf = (request: UploadRequest): Promise<BlobStore | null> => storeIfSet(stores, request);

  const ownRequest = (batch: Batch, { sha256 }: BatchFile) => ({
    method: 'PUT' as const,
    url: `${putBatchBytes.path.replace('{id}', batch.id)}?sha256=${sha256}`,
    headers: { 'content-type': 'application/octet-stream' },
  });

  /** Returns the files that the project has, and for the others the request that sends them. */
  async function present(
    project: Project,
    store: BlobStore | null,
    batch: Batch,
    refused = new Map<string, string>(),
  ) {
    const hashes = batch.files.map(({ sha256 }) => sha256);
    const known = await assets.idsByHash(project, hashes);
    const stateOf = async (file: BatchFile) => {
      const { sha256 } = file;
      const asset_id = batch.assetIds[sha256] ?? known.get(sha256) ?? null;
      const detail = refused.get(sha256) ?? null;
      if (asset_id !== null)
        return { sha256, state: 'present' as const, asset_id, upload: null, detail: null };
      const upload = (await objects.presign(store, batch, file)) ?? ownRequest(batch, file);
      return {
        sha256,
        state: detail === null ? ('missing' as const) : ('refused' as const),
        asset_id,
        upload: { ...upload, method: 'PUT' as const },
        detail,
      };
    };
    return {
      id: batch.id,
      expires_at: isoTime(folders.expiresAt(batch)),
      files: await Promise.all(batch.files.map(stateOf)),
    };
  }

  const fileOf = (batch: Batch, { filename, size, sha256, ...form }: BatchFile) => {
    const path = objects.placeOf(batch, { filename, size, sha256 });
    return uploadOf({ path, size, filename, mediaType: 'application/octet-stream' }, form);
  };

  /** Makes an asset of a file whose bytes have arrived, and records it before the bytes are removed. */
  async function finalizeFile(
    { project, store, plan }: { project: Project; store: BlobStore | null; plan: RouteRequest['plan'] },
    batch: Batch,
    file: BatchFile,
  ): Promise<Batch> {
    if (batch.assetIds[file.sha256] !== undefined) return batch;
    const known = (await assets.idsByHash(project, [file.sha256])).get(file.sha256);
    const isSent = known !== undefined || (await objects.fetch(store, batch, file));
    if (!isSent) return batch;
    const author = { actor: batch.userId, plan };
    const id = known ?? (await uploads.upload(project, fileOf(batch, file), author)).id;
    const noted = { ...batch, assetIds: { ...batch.assetIds, [file.sha256]: id } };
    await folders.note(noted);
    await objects.drop(store, batch, file);
    return noted;
  }

  async function requireRoom(
    project: Project,
    plan: RouteRequest['plan'],
    files: readonly BatchFile[],
  ): Promise<void> {
    const known = await assets.idsByHash(
      project,
      files.map(({ sha256 }) => sha256),
    );
    const missing = files.filter(({ sha256 }) => !known.has(sha256));
    const bytes = missing.reduce((sum, { size }) => sum + size, 0);
    if (bytes > 0) await uploads.requireRoom(project, plan, bytes);
  }

  async function refuseTooMany(batch: Batch): Promise<void> {
    const open = await folders.keptOf(batch);
    if (open.length < MOST_OPEN_BATCHES) return;
    const firstEnd = Math.min(...open.map((each) => each.begunAt)) + BATCH_KEPT_MS;
    throw new HttpError(
      429,
      `You have begun ${MOST_OPEN_BATCHES} batches within a day: put more files into each, or wait until the first has expired`,
      {
        code: 'too_many_batches',
        headers: { 'retry-after': String(Math.max(1, Math.ceil((firstEnd - clock.now()) / 1_000))) },
      },
    );
  }

  return {
    async begin(request: UploadRequest, files: readonly BatchFile[]) {
      refuseTwice(files);
      const batch: Batch = {
        id: newId(),
        tenantId: request.tenantId,
        projectId: request.projectId,
        userId: callerOf(request).userId,
        files,
        assetIds: {},
        begunAt: clock.now(),
      };
      const project = await requestProject(projects, request);
      for (const file of files) await uploads.check(project, fileOf(batch, file));
      await requireRoom(project, request.plan, files);
      await refuseTooMany(batch);
      const store = await storeOf(request);
      await folders.note(batch);
      return present(project, store, batch);
    },

    async state(request: UploadRequest, id: string) {
      const batch = await mine(request, id);
      return present(await requestProject(projects, request), await storeOf(request), batch);
    },

    async receive(request: UploadRequest, id: string, sha256: string): Promise<void> {
      const batch = await mine(request, id);
      const file = batch.files.find((each) => each.sha256 === sha256);
      if (file === undefined)
        throw notFound('The batch has no file with this sha256: begin one that has', {
          code: 'no_such_file',
        });
      if (request.stream === null) throw new Error('the contract of this route takes no stream');
      await objects.receive(batch, file, request.stream);
    },

    /** The path of bytes that were sent, until the batch expires; undefined before they arrive. */
    async sent(request: UploadRequest, id: string, sha256: string): Promise<string | undefined> {
      const batch = await mine(request, id);
      const file = batch.files.find((each) => each.sha256 === sha256);
      if (file === undefined || !(await objects.fetch(await storeOf(request), batch, file))) return undefined;
      return objects.placeOf(batch, file);
    },

    async finalize(request: UploadRequest, id: string) {
      await mine(request, id);
      const project = await requestProject(projects, request);
      const store = await storeOf(request);
      return project.database.exclusive(`batch ${id}`, async () => {
        let batch = await mine(request, id);
        const refused = new Map<string, string>();
        for (const file of batch.files) {
          try {
            batch = await finalizeFile({ project, store, plan: request.plan }, batch, file);
          } catch (error) {
            // A caller's mistake with one file must not delay the others.
            if (!(error instanceof HttpError) || error.status >= 500) throw error;
            refused.set(file.sha256, error.message);
            await objects.drop(store, batch, file);
          }
        }
        return present(project, store, batch, refused);
      });
    },
  };
}

export type Batches = ReturnType<typeof createBatches>;

function refuseTwice(files: readonly BatchFile[]): void {
  const seen = new Set<string>();
  for (const [at, { sha256 }] of files.entries()) {
    if (seen.has(sha256)) {
      const message = 'is there twice: files of the same bytes need to be sent once';
      throw invalid(`body field 'files.${at}.sha256' ${message}`, {
        code: 'invalid_request',
        errors: [{ field: `files.${at}.sha256`, message }],
      });
    }
    seen.add(sha256);
  }
}
