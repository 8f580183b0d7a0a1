import type { Readable } from 'node:stream';

/** Where objects lie, as settings name it; every field is that of the API. */
export type BlobPlace = LocalPlace | S3Place | AzurePlace;
export type BlobProvider = BlobPlace['provider'];

export interface LocalPlace {
  provider: 'local';
  /** An absolute path; the folder is never made here. */
  path: string;
}

export interface S3Place {
  provider: 's3';
  bucket: string;
  region?: string;
  /** Amazon's own unless given. */
  endpoint?: string;
  access_key: string;
  secret_key: string;
  /** Whether the bucket stands in the path or in the host's name. */
  path_style: boolean;
  /** False where the service refuses what is to be stored under a condition. */
  conditional_writes?: boolean;
}

export interface AzurePlace {
  provider: 'azure';
  container: string;
  account?: string;
  /** One of the three. */
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
  /** Another one with other bytes; the same in every answer while they stay. To be compared, never read. */
  etag: string;
}

/** Both ends are included, as in HTTP; an end beyond the object is its last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface Blob {
  /** Bytes of the whole object, also when a range of it was asked for. */
  size: number;
  /** As in `BlobStat`. */
  etag: string;
  /** Fails with `BlobsError`, also when it ends early. Destroy it when it is not read to its end. */
  stream: Readable;
}

export type BlobBody = Uint8Array | AsyncIterable<Uint8Array>;

export interface PutOptions {
  /** Bytes of a stream, where they are known: another length is `incomplete`, and nothing is stored. */
  size?: number;
  /** Kept where the store can; a local folder does not. */
  contentType?: string;
  /**
   * Stores it only while there is no object, or only over the one of this tag; `changed` otherwise. A service that
   * is known to have no conditions stores it anyway.
   */
  only?: { ifAbsent: true } | { ifEtag: string };
}

export interface GetOptions {
  range?: ByteRange;
  /** `changed` unless the object is the one of this tag. */
  ifEtag?: string;
}

export interface BlobPage {
  blobs: BlobStat[];
  /** Opaque: asks for the next page; null at the end. */
  next: string | null;
}

/** A request that somebody else may send, until it expires. */
export interface PresignedRequest {
  method: 'PUT' | 'GET';
  url: string;
  /** Headers that have to be sent along. */
  headers: Record<string, string>;
}

export interface PresignPutOptions {
  expiresInSeconds: number;
  contentType?: string;
  /** Bytes, and their SHA-256 in hexadecimal: others are refused where the provider can sign that (S3). */
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
  /** What of the free ones this service may write. */
  available: number;
}

/**
 * Objects by key. A key is `/`-separated like a path; none may go on where another ends (`a` and `a/b`), since a folder
 * cannot hold both. Every method throws `BlobsError` alone, and each wait is bounded.
 */
export interface BlobStore {
  readonly provider: BlobProvider | 'memory';
  /** What can be told before the first object: that a folder is there and can be written. Asks nobody else. */
  preflight(): Promise<void>;
  /**
   * Replaces the object as a whole: until it resolves, and after an error, the old one is there. Resolves to the tag of
   * what is stored now; null where the service does not say.
   */
  put(key: string, body: BlobBody, options?: PutOptions): Promise<{ etag: string | null }>;
  get(key: string, options?: GetOptions): Promise<Blob>;
  stat(key: string): Promise<BlobStat | null>;
  /** Keys that begin with `prefix`, in no order; `limit` is at most 1,000. What is not listed to its end fails. */
  list(options: { prefix: string; limit: number; from?: string | null }): Promise<BlobPage>;
  /** Resolves as well when there is nothing. */
  delete(key: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Null where the store cannot, such as a folder. */
  readonly presign: Presigner | null;
  /** Null where nothing limits it, or nobody knows. */
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

/** `message` is meant for people. It holds neither keys nor credentials nor what the provider wrote. */
export class BlobsError extends Error {
  readonly code: BlobsErrorCode;
  constructor(code: BlobsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BlobsError';
    this.code = code;
  }
}

/** How long a store may take. */
export interface BlobLimits {
  /** Milliseconds until an answer begins, and between two parts of it. */
  answerMs: number;
  /** Tries of what may be tried again. */
  attempts: number;
}

export const BLOB_LIMITS: BlobLimits = { answerMs: 15_000, attempts: 3 };
