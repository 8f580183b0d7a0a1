import type { Readable } from 'node:stream';
import {
  BlobSASPermissions,
  type BlockBlobClient,
  type ContainerClient,
  type ContainerListBlobFlatSegmentResponse,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import {
  type AzurePlace,
  BLOB_LIMITS,
  type BlobLimits,
  type BlobStore,
  BlobsError,
  type Presigner,
  type PutOptions,
} from '../blobs.ts';
import { boundedStream, withDeadline } from '../bounded.ts';
import { safeKey } from '../keys.ts';
import { type PieceUpload, uploadInPieces } from '../pieces.ts';
import { outOfRange } from '../ranges.ts';
import { conditionsOf, plainTag, quotedTag } from '../tags.ts';
import { openContainer } from './azure-container.ts';
import { azureError } from './azure-errors.ts';

export interface AzureBlobsOptions {
  place: AzurePlace;
  outgoing: Outgoing;
  limits?: BlobLimits;
}

type Call = <Result>(
  request: (options: { abortSignal: AbortSignal }) => Promise<Result>,
  sends?: number,
) => Promise<Result>;

export function createAzureBlobs({ place, outgoing, limits = BLOB_LIMITS }: AzureBlobsOptions): BlobStore {
  const container = openContainer(place, outgoing, limits);
  const { answerMs } = limits;
  const call: Call = async (request, sends) => {
    try {
      return await withDeadline(answerMs, (abortSignal) => request({ abortSignal }), sends);
    } catch (error) {
      throw azureError(error);
    }
  };
  const blobAt = (key: string) => container.getBlockBlobClient(safeKey(key));

  return {
    provider: 'azure',
    preflight: async () => {},
    put: async (key, body, options = {}) =>
      uploadInPieces(body, options.size, azurePieces(call, blobAt(key), options)),
    async get(key, { range, ifEtag } = {}) {
      const { start = 0, end } = range ?? {};
      const count = end === undefined ? undefined : end - start + 1;
      // The SDK resumes a broken stream itself, but would wait for a missing answer without end.
      const options = {
        maxRetryRequests: 0,
        ...(ifEtag !== undefined && { conditions: { ifMatch: quotedTag(ifEtag) } }),
      };
      const answer = await call((each) => blobAt(key).download(start, count, { ...each, ...options }));
      const { readableStreamBody, contentLength: length, contentRange, etag } = answer;
      if (readableStreamBody === undefined || length === undefined)
        throw new BlobsError('refused', 'The storage does not say how long the object is');
      const size = contentRange === undefined ? length : Number(contentRange.split('/')[1]);
      const source = readableStreamBody as Readable;
      if (range !== undefined && start >= size) {
        source.destroy();
        throw outOfRange();
      }
      const stream = boundedStream(source, { length, answerMs, explain: azureError });
      return { size, etag: plainTag(etag), stream };
    },
    async stat(key) {
      try {
        const {
          contentLength = 0,
          lastModified,
          etag,
        } = await call((each) => blobAt(key).getProperties(each));
        return {
          key,
          size: contentLength,
          modifiedAt: lastModified?.getTime() ?? 0,
          etag: plainTag(etag),
        };
      } catch (error) {
        return nullIfAbsent(error);
      }
    },
    async list({ prefix, limit, from }) {
      const { blobs, next } = await call((each) => pageOf(container, { prefix, limit, from, ...each }));
      return { blobs, next };
    },
    async delete(key) {
      await call((each) => blobAt(key).delete({ ...each, deleteSnapshots: 'include' })).catch(nullIfAbsent);
    },
    async copy(from, to) {
      const source = blobAt(from).url;
      await call(async (each) => {
        const copying = await blobAt(to).beginCopyFromURL(source, { ...each, intervalInMs: 200 });
        const { copyStatus } = await copying.pollUntilDone();
        if (copyStatus !== 'success')
          throw new BlobsError('unavailable', 'The storage did not make the copy');
      });
    },
    presign: container.credential instanceof StorageSharedKeyCredential ? presigner(blobAt) : null,
    capacity: async () => null,
    close: async () => outgoing.close(),
  };
}

interface PageRequest {
  prefix: string;
  limit: number;
  from?: string | null | undefined;
  abortSignal: AbortSignal;
}

async function pageOf(container: ContainerClient, { prefix, limit, from, abortSignal }: PageRequest) {
  const pages = container
    .listBlobsFlat({ prefix, abortSignal })
    .byPage({ maxPageSize: limit, ...(from && { continuationToken: from }) });
  const { value }: { value?: ContainerListBlobFlatSegmentResponse } = await pages.next();
  const items = value?.segment.blobItems ?? [];
  return {
    blobs: items.map(({ name, properties }) => ({
      key: name,
      size: properties.contentLength ?? 0,
      modifiedAt: properties.lastModified.getTime(),
      etag: plainTag(properties.etag),
    })),
    next: value?.continuationToken || null,
  };
}

/** Azure deletes blocks that are never committed after a week. */
function azurePieces(call: Call, blob: BlockBlobClient, { contentType, only }: PutOptions): PieceUpload {
  const typed = {
    conditions: conditionsOf(only),
    ...(contentType !== undefined && { blobHTTPHeaders: { blobContentType: contentType } }),
  };
  const idOf = (index: number) => Buffer.from(String(index).padStart(8, '0')).toString('base64');
  return {
    async whole(bytes) {
      const { etag } = await call(
        (each) => blob.upload(bytes, bytes.byteLength, { ...each, ...typed }),
        bytes.byteLength,
      );
      return plainTag(etag) || null;
    },
    begin: async () => ({
      async piece(index, bytes) {
        await call((each) => blob.stageBlock(idOf(index), bytes, bytes.byteLength, each), bytes.byteLength);
      },
      async finish(count) {
        const ids = Array.from({ length: count }, (_, index) => idOf(index));
        const { etag } = await call((each) => blob.commitBlockList(ids, { ...each, ...typed }));
        return plainTag(etag) || null;
      },
      abandon: async () => {},
    }),
  };
}

function presigner(blobAt: (key: string) => BlockBlobClient): Presigner {
  const urlFor = (key: string, permissions: string, expiresInSeconds: number) =>
    blobAt(key).generateSasUrl({
      permissions: BlobSASPermissions.parse(permissions),
      expiresOn: new Date(Date.now() + expiresInSeconds * 1000),
    });
  return {
    async put(key, { expiresInSeconds, contentType }) {
      const headers = {
        'x-ms-blob-type': 'BlockBlob',
        ...(contentType !== undefined && { 'content-type': contentType }),
      };
      return { method: 'PUT', url: await urlFor(key, 'cw', expiresInSeconds), headers };
    },
    async get(key, { expiresInSeconds }) {
      return { method: 'GET', url: await urlFor(key, 'r', expiresInSeconds), headers: {} };
    },
  };
}

function nullIfAbsent(error: unknown): null {
  if (error instanceof BlobsError && error.code === 'not_found') return null;
  throw error;
}
