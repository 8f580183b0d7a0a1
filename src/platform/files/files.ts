import type { Readable } from 'node:stream';
import type { BlobPlace } from '../blobs/blobs.ts';
import type { PrivateEndpoints } from '../outgoing/outgoing.ts';

/**
 * The content folder of one project.
 *
 * Every path is relative to the root, `/`-separated and spelled as on disk; `''` is the root itself where a
 * folder is expected. Symbolic links are not content and are not followed: an operation on one throws
 * `not_a_file`, one through a linked folder throws `outside`. Only a root that is a link itself is followed.
 */

export interface FileStat {
  path: string;
  /** bytes */
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

/** Reads return the content that `stat` describes, even if the name gets another file meanwhile. */
export interface OpenFile {
  stat: FileStat;
  /** `start` and `end` are included; the whole file by default. Call it once: it closes the file. */
  stream(range?: { start: number; end: number }): Readable;
  /** Closes a file that was not streamed. */
  close(): void;
}

/** In pieces if it is too large to hold in memory. */
export type FileContent = Uint8Array | string | AsyncIterable<Uint8Array>;

export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder' | 'other';
}

/** A worker thread opens the same store by this. */
export type FileStoreDescription =
  | { kind: 'local'; root: string }
  /** Objects whose keys begin with `prefix`; the installation decides whether the address may be private. */
  | { kind: 'blob'; place: BlobPlace; prefix: string; privateEndpoints: PrivateEndpoints }
  | { kind: 'memory' };

export interface WriteOptions {
  /** Fails with `exists`, also if two writers race. */
  ifAbsent?: boolean;
  /**
   * Fails with `changed` unless the file has these bytes, or this stat, at the moment it is replaced; with `not_found` if
   * there is none. On a local disk, a version that an editor saves meanwhile is restored.
   */
  onlyOver?: Uint8Array | FileStat;
  /** Fails with `exists` if the parent folder exists already. */
  newFolder?: boolean;
}

/** For a write that is to replace what was read, or to make a file where there was none. */
export const over = (present: Uint8Array | FileStat | null): WriteOptions =>
  present === null ? { ifAbsent: true } : { onlyOver: present };

export interface FileWrite extends WriteOptions {
  path: string;
  content: Uint8Array | string;
}

/** Every method throws only `FilesError`. */
export interface FileStore {
  describe(): Promise<FileStoreDescription>;
  /** Resolves if the root is a folder that can be read and written. */
  probe(): Promise<void>;
  /** Regular files only: anything else is `undefined`. */
  stat(path: string): Promise<FileStat | undefined>;
  /** On a disk it fails with `too_large` where the file has more bytes than `most`; elsewhere a look would cost a request. */
  read(path: string, most?: number): Promise<Uint8Array>;
  open(path: string): Promise<OpenFile>;
  /** The absolute path for a library that opens files by itself; undefined for a store without local files. */
  locate(path: string): Promise<string | undefined>;
  /**
   * Replaces the file as a whole, creates missing folders but never the root, keeps the mode, and resolves when the bytes
   * survive a power cut. After an error the old bytes are in place, except that a failed last sync of the folder can leave
   * the new ones.
   */
  write(path: string, bytes: FileContent, options?: WriteOptions): Promise<FileStat>;
  /**
   * Each as `write` does, with shared syncs. Resolves to the result of each, in their order: one that fails with a
   * `FilesError` does not affect the others. No path may be named twice.
   */
  writeMany(files: readonly FileWrite[]): Promise<PromiseSettledResult<FileStat>[]>;
  /** Creates missing parents; throws `exists` if the target exists. */
  move(from: string, to: string): Promise<void>;
  /** A folder goes with everything in it, in one step. Throws `not_found` if there is nothing. */
  remove(path: string): Promise<void>;
  /** Throws `changed` if the file has other bytes, which stay, and `not_found` if there is none. */
  removeOnly(path: string, bytes: Uint8Array): Promise<void>;
  /** Hidden files count as content. Resolves to true if it was removed. */
  removeEmptyFolder(folder: string): Promise<boolean>;
  /** In no order; our own temporary files are left out. */
  list(folder: string): Promise<FolderEntry[]>;
  /** From crashes more than an hour ago; resolves to the number of removed entries. */
  cleanTemporaryFiles(): Promise<number>;
}

export interface SkippedEntry {
  path: string;
  reason: 'symlink' | 'not_a_regular_file' | 'unreadable' | 'bad_name';
}

/** Earlier knowledge of an `unreadable` file, or of anything below an `unreadable` folder, stays valid. */
export interface ScanBatch {
  files: FileStat[];
  skipped: SkippedEntry[];
}

export interface FileDigest {
  sha256: string;
  /** Valid until the next file is read. */
  head: Uint8Array;
}

/** Synchronous reading for a worker thread. */
export interface FileScanner {
  /**
   * Everything below `under`, by default the root, without dot entries and `node_modules`, in no order. Throws
   * `root_missing`; a missing `under` is an empty walk.
   */
  scan(options?: { under?: string }): Iterable<ScanBatch>;
  readSync(path: string): Uint8Array;
  /** Of a file of any size, without holding it in memory. */
  digestSync(path: string, headBytes: number): FileDigest;
  /** Regular files only: anything else is `undefined`. */
  statSync(path: string): FileStat | undefined;
  /** Also false if the root is not a folder or cannot be listed. */
  rootExists(): boolean;
}

/** For content behind a network. */
export interface RemoteScanner {
  /** At or below the roots; rejects if any part cannot be listed. */
  list(roots?: readonly string[]): Promise<ScanBatch>;
  read(path: string): Promise<Uint8Array>;
  /** Of a file of any size, without holding it in memory. */
  digest(path: string, headBytes: number): Promise<FileDigest>;
  close(): Promise<void>;
}

export type FilesErrorCode =
  | 'bad_path'
  | 'changed'
  | 'exists'
  | 'io'
  | 'no_permission'
  | 'no_space'
  | 'not_a_file'
  | 'not_a_folder'
  | 'not_found'
  | 'outside'
  | 'read_only'
  | 'root_missing'
  | 'too_large';

/** `message` is for people and contains no absolute path. */
export class FilesError extends Error {
  readonly code: FilesErrorCode;
  readonly path: string;

  constructor(code: FilesErrorCode, path: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'FilesError';
    this.code = code;
    this.path = path;
  }
}

const DISK_FAILURES: readonly FilesErrorCode[] = ['io', 'no_space', 'read_only', 'root_missing'];

/** True for a failure of the disk rather than of one file. */
export const isDiskFailure = (error: unknown): boolean =>
  error instanceof FilesError && DISK_FAILURES.includes(error.code);
