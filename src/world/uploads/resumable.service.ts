import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TObject } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import { streamingSha256 } from '../../kit/crypto.ts';
import { conflict, HttpError, invalid, notFound, tooLarge } from '../../kit/errors.ts';
import { createValidator } from '../../kit/http/validation.ts';
import { newId } from '../../kit/ids.ts';
import { callerOf } from '../../kit/principal.ts';
import type { RouteRequest } from '../../kit/route.ts';
import { type Assets, type Upload, type UploadForm, type Uploads, uploadOf } from '../assets/index.ts';
import { uploadAsset } from '../assets/upload.contract.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { type Begun, type Parts, tooMany } from './parts.ts';
import { MOST_WAITING_BYTES } from './resumable.contract.ts';
import { readLength, readMetadata, readOffset, refuseConcatenation, requireVersion } from './tus.ts';
import type { createUploadLocks } from './upload-locks.ts';

const MOST_UNDER_WAY = 50;
const GB = 1024 ** 3;
const LONGEST_NAME = 1_000;

type UploadRequest = Omit<RouteRequest, 'params' | 'query' | 'body'>;

export interface UploadStatus extends Begun {
  offset: number;
  expiresAt: number;
}

export interface ResumableOptions {
  projects: Projects;
  assets: Assets;
  uploads: Uploads;
  parts: Parts;
  withLock: ReturnType<typeof createUploadLocks>;
  clock: Clock;
}

const checkFields = createValidator(uploadAsset.body, 'form');
const FIELDS = Object.keys((uploadAsset.body as TObject).properties);

/** Uploads in parts, for their owner only; a complete one becomes an asset like one from a form. */
export function createResumable({ projects, assets, uploads, parts, withLock, clock }: ResumableOptions) {
  const statusOf = async (begun: Begun): Promise<UploadStatus> => ({
    ...begun,
    offset: await parts.offsetOf(begun),
    expiresAt: parts.expiresAt(begun),
  });

  const isMine = (request: UploadRequest, begun: Begun): boolean =>
    begun.tenantId === request.tenantId &&
    begun.projectId === request.projectId &&
    begun.userId === callerOf(request).userId;

  async function mine(request: UploadRequest, id: string): Promise<Begun> {
    const begun = await parts.find(id);
    if (begun === undefined || !isMine(request, begun))
      throw notFound('There is no such upload of yours: begin a new one', { code: 'no_such_upload' });
    if (parts.expiresAt(begun) < clock.now())
      throw new HttpError(410, 'The upload has expired: begin a new one', { code: 'expired' });
    return begun;
  }

  /** Runs after all other work on the upload has ended. */
  const withMine = async <Result>(
    request: UploadRequest,
    id: string,
    work: (begun: Begun, stopped: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const begun = await mine(request, id);
    return withLock(begun, async (stopped) => work(await mine(request, id), stopped));
  };

  async function refuseTooMany(request: UploadRequest, { size, tenantId, userId }: Begun): Promise<void> {
    const open = (await parts.all()).filter((each) => each.assetId === null);
    const waiting = open
      .filter((each) => each.tenantId === tenantId && each.userId === userId)
      .reduce((sum, each) => sum + each.size, 0);
    if (waiting + size > MOST_WAITING_BYTES)
      throw tooLarge(
        `Your open uploads would add up to more than ${MOST_WAITING_BYTES / GB} GB: finish or cancel some`,
        { code: 'too_many_bytes' },
      );
    if (open.filter((each) => isMine(request, each)).length < MOST_UNDER_WAY) return;
    throw conflict(`You have ${MOST_UNDER_WAY} uploads under way: finish some or give them up`, {
      code: 'too_many_uploads',
    });
  }

  /** Finds the asset of an attempt before a crash by its bytes. */
  async function madeBefore(project: Project, { id }: Begun): Promise<string | undefined> {
    const hash = streamingSha256();
    await pipeline(createReadStream(parts.bytesOf(id)), async (bytes) => {
      for await (const piece of bytes as AsyncIterable<Uint8Array>) hash.update(piece);
    });
    const sha256 = hash.digest('hex');
    return (await assets.idsByHash(project, [sha256])).get(sha256);
  }

  async function finish(request: UploadRequest, begun: Begun): Promise<Begun> {
    const author = { actor: begun.userId, plan: request.plan };
    const project = await requestProject(projects, request);
    const made = begun.isTried ? await madeBefore(project, begun) : undefined;
    if (made !== undefined) return parts.finish(begun, made);
    const tried = await parts.noteTry(begun);
    const asset = await uploads.upload(project, describe(begun, parts), author);
    return parts.finish(tried, asset.id);
  }

  return {
    async begin(request: UploadRequest): Promise<UploadStatus> {
      requireVersion(request.headers);
      refuseConcatenation(request.headers);
      const begun: Begun = {
        id: newId(),
        tenantId: request.tenantId,
        projectId: request.projectId,
        userId: callerOf(request).userId,
        size: readLength(request.headers),
        metadata: String(request.headers['upload-metadata'] ?? ''),
        begunAt: clock.now(),
        isTried: false,
        assetId: null,
      };
      const upload = describe(begun, parts);
      const project = await requestProject(projects, request);
      await uploads.check(project, upload);
      await uploads.requireRoom(project, request.plan, begun.size);
      await parts.collect();
      await refuseTooMany(request, begun);
      await parts.begin(begun);
      return statusOf(begun);
    },

    /** Makes the asset now if the upload is complete and its last part failed to make it. */
    status: (request: UploadRequest, id: string): Promise<UploadStatus> =>
      withMine(request, id, async (begun) => {
        const isWhole = (await parts.offsetOf(begun)) === begun.size;
        return statusOf(isWhole && begun.assetId === null ? await finish(request, begun) : begun);
      }),

    async append(request: UploadRequest, id: string): Promise<UploadStatus> {
      requireVersion(request.headers);
      const from = readOffset(request.headers);
      const { stream } = request;
      if (stream === null) throw new Error('the contract of this route takes no stream');
      return withMine(request, id, async (begun, stopped) => {
        const offset = await parts.offsetOf(begun);
        if (from !== offset)
          throw conflict(`The upload is at byte ${offset}: continue from there`, {
            code: 'wrong_offset',
          });
        if (from + Number(request.headers['content-length'] ?? 0) > begun.size) throw tooMany(begun.size);
        if (begun.assetId !== null) return statusOf(begun);
        addAbortSignal(stopped, stream);
        const reached = await parts.append(begun, stream, from);
        return statusOf(reached === begun.size ? await finish(request, begun) : begun);
      });
    },

    async drop(request: UploadRequest, id: string): Promise<void> {
      requireVersion(request.headers);
      await withMine(request, id, ({ id }) => parts.remove(id));
    },
  };
}

export type Resumable = ReturnType<typeof createResumable>;

/** Throws 422 for metadata that the form of a whole upload would refuse. */
function describe(begun: Begun, parts: Parts): Upload {
  const metadata = readMetadata(begun.metadata);
  const filename = metadata.get('filename') ?? '';
  if (filename === '' || filename.length > LONGEST_NAME) {
    const message = `must be given in Upload-Metadata, with 1 to ${LONGEST_NAME} characters`;
    throw invalid(`filename ${message}`, {
      code: 'invalid_request',
      errors: [{ field: 'filename', message }],
    });
  }
  const form = Object.fromEntries(
    FIELDS.flatMap((name) => (metadata.has(name) ? [[name, metadata.get(name)]] : [])),
  );
  checkFields(form);
  const mediaType = 'application/octet-stream';
  const file = { path: parts.bytesOf(begun.id), size: begun.size, filename, mediaType };
  return uploadOf(file, form as UploadForm);
}
