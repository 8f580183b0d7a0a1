import type { Readable } from 'node:stream';

/** As settings describe it; every field is that of the API. */
export type BlobPlace = LocalPlace | S3Place | AzurePlace;
export type BlobProvider = BlobPlace['provider'];

export interface LocalPlace {
  provider: 'local';
  /** An absolute path; the folder is never created here. */
  path: string;
}

export interface S3Place {
  provider: 's3';
  bucket: string;
  region?: string;
  /** Amazon's own by default. */
  endpoint?: string;
  access_key: string;
  secret_key: string;
  /** True if the bucket is part of the path instead of the host name. */
  path_style: boolean;
  /** False if the service refuses conditional writes. */
  conditional_writes?: boolean;
}

export interface AzurePlace {
  provider: 'azure';
  container: string;
  account?: string;
  /** Exactly one of these three is set. */
  account_key?: string;
  connection_string?: string;
  sas_token?: string;
  endpoint?: string;
}

export interface BlobStat {
  key: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
  /** Changes with the bytes, and only with them. Opaque: compare it, never interpret it. */
  etag: string;
}

/** Both ends are included, as in HTTP; an end beyond the object means its last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface Blob {
  /** Of the whole object, even if a range was requested. */
  size: number;
  etag: string;
  /** Fails with `BlobsError`, also if it ends early. Destroy it unless it is read to its end. */
  stream: Readable;
}

export type BlobBody = Uint8Array | AsyncIterable<Uint8Array>;

export interface PutOptions {
  /** With another length the write is `incomplete`, and nothing is stored. */
  size?: number;
  /** A local folder does not store it. */
  contentType?: string;
  /**
   * Only if there is no object, or only over the one with this etag; otherwise throws `changed`. A service known not to
   * support conditions stores it anyway.
   */
  only?: { ifAbsent: true } | { ifEtag: string };
}

export interface GetOptions {
  range?: ByteRange;
  /** Throws `changed` unless the object has this etag. */
  ifEtag?: string;
}

export interface BlobPage {
  blobs: BlobStat[];
  /** Opaque; null at the end. */
  next: string | null;
}

/** Another program may send it until it expires. */
export interface PresignedRequest {
  method: 'PUT' | 'GET';
  url: string;
  headers: Record<string, string>;
}

export interface PresignPutOptions {
  expiresInSeconds: number;
  contentType?: string;
  /** The SHA-256 in hexadecimal. A provider that can sign these (S3) refuses any other bytes. */
  exactly?: { size: number; sha256: string };
}

export interface Presigner {
  put(key: string, options: PresignPutOptions): Promise<PresignedRequest>;
  get(key: string, options: { expiresInSeconds: number }): Promise<PresignedRequest>;
}

/** Bytes of the file system that holds the objects. */
export interface Capacity {
  total: number;
  free: number;
  /** Free bytes that this service may write. */
  available: number;
}

/**
 * A key is `/`-separated like a path and must not continue where another ends (`a` and `a/b`), since a folder cannot hold
 * both. Every method throws only `BlobsError`, and every wait is bounded.
 */
export interface BlobStore {
  readonly provider: BlobProvider | 'memory';
  /** Checks before the first object, without a request, for example that a folder exists and is writable. */
  preflight(): Promise<void>;
  /**
   * Replaces the object as a whole: until it resolves, and after an error, the old one is there. Resolves to the etag; null
   * if the service does not report it.
   */
  put(key: string, body: BlobBody, options?: PutOptions): Promise<{ etag: string | null }>;
  get(key: string, options?: GetOptions): Promise<Blob>;
  stat(key: string): Promise<BlobStat | null>;
  /** Keys that begin with `prefix`, in no order; `limit` is at most 1,000. An incomplete listing fails. */
  list(options: { prefix: string; limit: number; from?: string | null }): Promise<BlobPage>;
  /** Also resolves if there is no object. */
  delete(key: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Null if the store cannot presign, such as a folder. */
  readonly presign: Presigner | null;
  /** Null if unlimited or unknown. */
  capacity(): Promise<Capacity | null>;
  close(): Promise<void>;
}

export type BlobsErrorCode =
  | 'bad_credentials'
  | 'bad_key'
  | 'bad_range'
  | 'changed'
  | 'conflict'
  | 'denied'
  | 'incomplete'
  | 'no_bucket'
  | 'no_space'
  | 'not_found'
  | 'refused'
  | 'refused_address'
  | 'too_large'
  | 'unavailable'
  | 'unsupported';

/** `message` is for people and contains neither keys, credentials nor text of the provider. */
export class BlobsError extends Error {
  readonly code: BlobsErrorCode;
  constructor(code: BlobsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobsError';
    this.code = code;
  }
}

export interface BlobLimits {
  /** Milliseconds until an answer begins, and between two parts of it. */
  answerMs: number;
  /** For calls that may be repeated. */
  attempts: number;
}

export const BLOB_LIMITS: BlobLimits = { answerMs: 15_000, attempts: 3 };
