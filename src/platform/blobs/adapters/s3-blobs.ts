import type { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import {
  BLOB_LIMITS,
  type BlobLimits,
  type BlobStore,
  BlobsError,
  type ByteRange,
  type Presigner,
  type S3Place,
} from '../blobs.ts';
import { boundedStream } from '../bounded.ts';
import { safeKey } from '../keys.ts';
import { uploadInPieces } from '../pieces.ts';
import { changed, plainTag, quotedTag } from '../tags.ts';
import { createS3Call } from './s3-call.ts';
import { createConditionally } from './s3-conditions.ts';
import { s3Error } from './s3-errors.ts';
import { s3Pieces } from './s3-pieces.ts';

export interface S3BlobsOptions {
  place: S3Place;
  outgoing: Outgoing;
  limits?: BlobLimits;
}

export function createS3Blobs({ place, outgoing, limits = BLOB_LIMITS }: S3BlobsOptions): BlobStore {
  const client = clientOf(place, outgoing, limits);
  const { answerMs } = limits;
  const call = createS3Call(client, answerMs);
  const conditionally = createConditionally(place.conditional_writes ?? true);
  const Bucket = place.bucket;
  const at = (key: string) => ({ Bucket, Key: safeKey(key) });

  return {
    provider: 's3',
    preflight: async () => {},
    put: async (key, body, options = {}) =>
      uploadInPieces(body, options.size, s3Pieces(call, conditionally, at(key), options)),
    async get(key, { range, ifEtag } = {}) {
      const command = new GetObjectCommand({
        ...at(key),
        ...(range && { Range: `bytes=${range.start}-${range.end ?? ''}` }),
        ...(ifEtag !== undefined && { IfMatch: quotedTag(ifEtag) }),
      });
      const { Body, ContentLength, ContentRange, ETag } = await call((s3, options) =>
        s3.send(command, options),
      );
      if (Body === undefined || ContentLength === undefined)
        throw new BlobsError('refused', 'The storage does not say how long the object is');
      const source = Body as Readable;
      if (ifEtag !== undefined && plainTag(ETag) !== ifEtag) {
        source.destroy();
        throw changed();
      }
      const size = range ? sizeBehindRange(ContentRange, range, ContentLength) : ContentLength;
      if (size === null) {
        source.destroy();
        throw new BlobsError('refused', 'The storage does not give the range that was asked for');
      }
      const stream = boundedStream(source, { length: ContentLength, answerMs, explain: s3Error });
      return { size, etag: plainTag(ETag), stream };
    },
    async stat(key) {
      const command = new HeadObjectCommand(at(key));
      try {
        const {
          ContentLength = 0,
          LastModified,
          ETag,
        } = await call((s3, options) => s3.send(command, options));
        return {
          key,
          size: ContentLength,
          modifiedAt: LastModified?.getTime() ?? 0,
          etag: plainTag(ETag),
        };
      } catch (error) {
        if (error instanceof BlobsError && error.code === 'not_found') return null;
        throw error;
      }
    },
    async list({ prefix, limit, from }) {
      const command = new ListObjectsV2Command({
        Bucket,
        Prefix: prefix,
        MaxKeys: limit,
        ...(from && { ContinuationToken: from }),
      });
      const answer = await call((s3, options) => s3.send(command, options));
      const { Contents = [], IsTruncated, NextContinuationToken } = answer;
      // A reply that is no listing must not pass for an empty one.
      if (IsTruncated === undefined)
        throw new BlobsError('refused', 'What answers at the address of the storage lists no objects');
      if (IsTruncated && !NextContinuationToken)
        throw new BlobsError('refused', 'The storage does not list its objects to the end');
      const blobs = Contents.map(({ Key = '', Size = 0, LastModified, ETag }) => ({
        key: Key,
        size: Size,
        modifiedAt: LastModified?.getTime() ?? 0,
        etag: plainTag(ETag),
      }));
      return { blobs, next: NextContinuationToken ?? null };
    },
    async delete(key) {
      const command = new DeleteObjectCommand(at(key));
      try {
        await call((s3, options) => s3.send(command, options));
      } catch (error) {
        if (!(error instanceof BlobsError && error.code === 'not_found')) throw error;
      }
    },
    async copy(from, to) {
      const source = encodeURIComponent(`${Bucket}/${safeKey(from)}`).replaceAll('%2F', '/');
      const command = new CopyObjectCommand({ ...at(to), CopySource: source });
      await call((s3, options) => s3.send(command, options));
    },
    presign: presigner(client, at),
    capacity: async () => null,
    close: async () => outgoing.close(),
  };
}

/** The size of the whole object, or null if the reply holds another range than requested. */
function sizeBehindRange(
  header: string | undefined,
  { start, end }: ByteRange,
  length: number,
): number | null {
  const [, first, last, size] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? '') ?? []).map(Number);
  if (first === undefined || last === undefined || size === undefined) return null;
  const expected = Math.min(end ?? size - 1, size - 1);
  return first === start && last === expected && length === last - first + 1 ? size : null;
}

function clientOf(place: S3Place, { httpAgent, httpsAgent }: Outgoing, limits: BlobLimits): S3Client {
  return new S3Client({
    region: place.region ?? 'us-east-1',
    ...(place.endpoint !== undefined && { endpoint: place.endpoint }),
    forcePathStyle: place.path_style,
    credentials: { accessKeyId: place.access_key, secretAccessKey: place.secret_key },
    maxAttempts: limits.attempts,
    // Many other services refuse the checksums that Amazon's own added recently.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent, httpsAgent, connectionTimeout: limits.answerMs },
  });
}

const CHECKSUM = 'x-amz-checksum-sha256';

function presigner(client: S3Client, at: (key: string) => { Bucket: string; Key: string }): Presigner {
  return {
    async put(key, { expiresInSeconds: expiresIn, contentType, exactly }) {
      const checksum = exactly && Buffer.from(exactly.sha256, 'hex').toString('base64');
      const headers = {
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(checksum !== undefined && { [CHECKSUM]: checksum }),
      };
      const command = new PutObjectCommand({
        ...at(key),
        ...(contentType !== undefined && { ContentType: contentType }),
        ...(exactly && { ContentLength: exactly.size, ChecksumSHA256: checksum }),
      });
      // The sender sets the length by itself, so the signed headers must include it.
      const signed = [...Object.keys(headers), ...(exactly ? ['content-length'] : [])];
      const url = await getSignedUrl(client, command, {
        expiresIn,
        signableHeaders: new Set(signed),
        unhoistableHeaders: new Set([CHECKSUM]),
      });
      return { method: 'PUT', url, headers };
    },
    async get(key, { expiresInSeconds: expiresIn }) {
      const url = await getSignedUrl(client, new GetObjectCommand(at(key)), { expiresIn });
      return { method: 'GET', url, headers: {} };
    },
  };
}
