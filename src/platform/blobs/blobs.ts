import type { Readable } from 'node:stream';

/** A storage location as settings describe it; every field is that of the API. */
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
  /** Changes with the bytes and is the same in every answer until then. Compare it, but never interpret it. */
  etag: string;
}

/** Both ends are included, as in HTTP; an end beyond the object means its last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface Blob {
  /** Bytes of the whole object, even if a range was requested. */
  size: number;
  /** As in `BlobStat`. */
  etag: string;
  /** Fails with `BlobsError`, also if it ends early. Destroy it if it is not read to its end. */
  stream: Readable;
}

export type BlobBody = Uint8Array | AsyncIterable<Uint8Array>;

export interface PutOptions {
  /** Bytes of a stream, if known: with another length the write is `incomplete`, and nothing is stored. */
  size?: number;
  /** Stored if the store supports it; a local folder does not. */
  contentType?: string;
  /**
   * Stores the object only if there is none, or only over the one with this etag; otherwise throws `changed`. A service
   * that is known not to support conditions stores it anyway.
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
  /** An opaque token for the next page; null at the end. */
  next: string | null;
}

/** A request that another program may send until it expires. */
export interface PresignedRequest {
  method: 'PUT' | 'GET';
  url: string;
  headers: Record<string, string>;
}

export interface PresignPutOptions {
  expiresInSeconds: number;
  contentType?: string;
  /** Bytes and their SHA-256 in hexadecimal: a provider that can sign these (S3) refuses any others. */
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
 * Objects by key. A key is `/`-separated like a path; a key must not continue where another ends (`a` and `a/b`), since a
 * folder cannot hold both. Every method throws only `BlobsError`, and every wait is bounded.
 */
export interface BlobStore {
  readonly provider: BlobProvider | 'memory';
  /** Checks what can be known before the first object: that a folder exists and is writable. Makes no request. */
  preflight(): Promise<void>;
  /**
   * Replaces the object as a whole: until it resolves, and after an error, the old one is there. Resolves to the etag of
   * the stored object; null if the service does not report it.
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
  /** Null if the capacity is unlimited or unknown. */
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

/** `message` is for people. It contains neither keys nor credentials nor text of the provider. */
export class BlobsError extends Error {
  readonly code: BlobsErrorCode;
  constructor(code: BlobsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobsError';
    this.code = code;
  }
}

/** Limits on the time that a store may take. */
export interface BlobLimits {
  /** Milliseconds until an answer begins, and between two parts of it. */
  answerMs: number;
  /** Number of attempts for calls that may be repeated. */
  attempts: number;
}

export const BLOB_LIMITS: BlobLimits = { answerMs: 15_000, attempts: 3 };
